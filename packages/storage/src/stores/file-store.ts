/**
 * Objects as files: written to `incoming/<id>`, synced, then renamed to `objects/<xx>/<id>`.
 *
 * Always holds: a file under `objects` is complete; paths are built only from ids in the form of a
 * UUID.
 */
import { mkdir, open, opendir, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { createDurably, sync } from '@cumulet/common/files/durable-file';
import {
  errorCode,
  rethrownBy,
  storeError,
  DataMissingError,
  StoreOfAnotherDatabaseError,
  StoreUnusableError,
} from './store.errors.js';
import { isDataId, type ByteRange, type ByteStore, type DataId } from './byte-store.js';

/** Bytes per read: more costs memory and saves no time. */
const READ_BYTES = 512 * 1024;

/** The name of a folder of objects: the first byte of their ids. */
const FAN = /^[0-9a-f]{2}$/;

const FOLDER = { recursive: true, mode: 0o700 };

export class FileStore implements ByteStore {
  readonly description: string;
  readonly isVolatile = false;
  readonly #mark: string;
  readonly #incomingFolder: string;
  readonly #objectsFolder: string;
  /** Its folders whose own names have been synced to disk. */
  readonly #durableFans = new Set<string>();
  readonly #rethrown: (error: unknown) => never;

  /** @param holds the kind of data, in one word: `image` */
  constructor(
    private readonly folder: string,
    readonly holds: string,
  ) {
    this.#rethrown = rethrownBy(holds);
    this.description = `files in ${folder}`;
    this.#mark = join(folder, 'database-id');
    this.#incomingFolder = join(folder, 'incoming');
    this.#objectsFolder = join(folder, 'objects');
  }

  async mark(): Promise<string | undefined> {
    try {
      return (await readFile(this.#mark, 'utf8')).trim();
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw this.#unusable(error);
    }
  }

  async claim(databaseId: string): Promise<void> {
    try {
      await mkdir(this.#incomingFolder, FOLDER);
      await mkdir(this.#objectsFolder, FOLDER);
      await createDurably(this.#mark, databaseId);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw this.#unusable(error);
      if ((await this.mark()) === databaseId) return;
      throw new StoreOfAnotherDatabaseError(this.holds, this.folder);
    }
  }

  async put(id: DataId, data: Readable): Promise<void> {
    try {
      await this.#write(id, data);
      await this.#publish(id).catch(this.#rethrown);
    } catch (error) {
      // A failure leaves an orphan, which is swept.
      await this.remove(id).catch(() => undefined);
      throw error;
    }
  }

  async open(id: DataId, range?: ByteRange): Promise<Readable> {
    let file: FileHandle;
    try {
      file = await open(this.#object(id), 'r');
    } catch (error) {
      throw errorCode(error) === 'ENOENT'
        ? new DataMissingError(id, error)
        : storeError(this.holds, error);
    }
    return file.createReadStream({
      highWaterMark: READ_BYTES,
      ...(range ? { start: range.first, end: range.last } : {}),
    });
  }

  async remove(id: DataId): Promise<void> {
    for (const path of [this.#incoming(id), this.#object(id)]) {
      await rm(path, { force: true }).catch(this.#rethrown);
    }
  }

  async *list(): AsyncIterable<DataId> {
    yield* idsIn(this.#incomingFolder);
    for await (const { name } of await opendir(this.#objectsFolder)) {
      if (FAN.test(name)) yield* idsIn(join(this.#objectsFolder, name));
    }
  }

  /** @throws the error of the data, or one of the store */
  async #write(id: DataId, data: Readable): Promise<void> {
    const file = await open(this.#incoming(id), 'wx', 0o600).catch(this.#rethrown);
    try {
      await pipeline(
        data,
        fileSink(file, (error) => storeError(this.holds, error)),
      );
      await file.sync().catch(this.#rethrown);
    } finally {
      await file.close();
    }
  }

  /** Syncs the name, too, before anyone relies on it. */
  async #publish(id: DataId): Promise<void> {
    const fan = this.#fan(id);
    const made = await mkdir(fan, FOLDER);
    if (made !== undefined || !this.#durableFans.has(fan)) {
      // Another process may have made it without syncing it.
      await sync(this.#objectsFolder);
      this.#durableFans.add(fan);
    }
    await rename(this.#incoming(id), this.#object(id));
    await sync(fan);
  }

  #unusable(error: unknown): StoreUnusableError {
    return new StoreUnusableError(this.holds, this.folder, error as Error);
  }

  #incoming(id: DataId): string {
    return join(this.#incomingFolder, checked(id));
  }

  #object(id: DataId): string {
    return join(this.#fan(id), id);
  }

  /** Many folders, so that none grows large. */
  #fan(id: DataId): string {
    return join(this.#objectsFolder, checked(id).slice(0, 2));
  }
}

function checked(id: DataId): DataId {
  if (!isDataId(id)) throw new DomainError('bug', 'an object ID is not a UUID');
  return id;
}

async function* idsIn(folder: string): AsyncIterable<DataId> {
  for await (const { name } of await opendir(folder)) if (isDataId(name)) yield name;
}

/**
 * Bytes that may wait during a write; they are written together. Larger batches were measured to
 * cost the kernel more time than they save.
 */
const WAITING = 128 * 1024;

/**
 * A stream into an open file, which stays open.
 * @param asError turns a failed write into the error that the stream ends with
 */
function fileSink(file: FileHandle, asError: (error: unknown) => unknown): Writable {
  return new Writable({
    highWaterMark: WAITING,
    writev(waiting, done) {
      writeAll(
        file,
        waiting.map(({ chunk }) => chunk as Buffer),
      ).then(
        () => done(),
        (error: unknown) => done(asError(error) as Error),
      );
    },
  });
}

/** A write may be partial: a disk that fills up takes what still fits. */
async function writeAll(file: FileHandle, chunks: readonly Buffer[]): Promise<void> {
  const { bytesWritten } = await file.writev(chunks);
  const total = chunks.reduce((bytes, { length }) => bytes + length, 0);
  if (bytesWritten < total) await file.writeFile(Buffer.concat(chunks).subarray(bytesWritten));
}
