/**
 * Objects in a bucket of any S3-compatible service: `<prefix>objects/<id>`, each by one multipart
 * upload.
 *
 * Always holds: an object appears whole or not at all, as S3 completes an upload atomically; at
 * most two parts wait for the service.
 */
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  errorName,
  rethrownBy,
  storeError,
  DataMissingError,
  StoreOfAnotherDatabaseError,
  StoreUnusableError,
} from './store.errors.js';
import { isDataId, type ByteRange, type ByteStore, type DataId } from './byte-store.js';
import type { MultipartUpload, S3Bucket } from './s3-bucket.js';
import type { S3Location } from './store-settings.js';

/** Two concurrent claims: the other has succeeded, or is about to. */
const CLAIMED = new Set(['PreconditionFailed', 'ConditionalRequestConflict']);

export class S3Store implements ByteStore {
  readonly description: string;
  readonly isVolatile = false;
  readonly #mark: string;
  readonly #objects: string;
  readonly #rethrown: (error: unknown) => never;
  #bucket: Promise<S3Bucket> | undefined;

  /**
   * @param holds the kind of data, in one word: `image`
   * @param sizeLimit maximum bytes of an object
   */
  constructor(
    private readonly location: S3Location,
    readonly holds: string,
    private readonly sizeLimit: number,
  ) {
    this.#rethrown = rethrownBy(holds);
    const { endpoint, bucket, prefix } = location;
    this.description = `objects in ${endpoint}/${bucket}/${prefix}`;
    this.#mark = `${prefix}database-id`;
    this.#objects = `${prefix}objects/`;
  }

  async mark(): Promise<string | undefined> {
    try {
      return await readIfThere(await this.#open(), this.#mark);
    } catch (error) {
      throw new StoreUnusableError(this.holds, this.description, error as Error);
    }
  }

  async claim(databaseId: string): Promise<void> {
    try {
      const bucket = await this.#open();
      // Read first: a service without conditional writes would simply overwrite it.
      const claimed =
        (await readIfThere(bucket, this.#mark)) ??
        (await claimedBy(bucket, this.#mark, databaseId));
      if (claimed === databaseId) return;
      throw new StoreOfAnotherDatabaseError(this.holds, this.description);
    } catch (error) {
      if (error instanceof StoreOfAnotherDatabaseError) throw error;
      throw new StoreUnusableError(this.holds, this.description, error as Error);
    }
  }

  async put(id: DataId, data: Readable): Promise<void> {
    try {
      const bucket = await this.#open();
      const upload = await bucket.createUpload(this.#key(id)).catch(this.#rethrown);
      await this.#fill(bucket, upload, data);
    } catch (error) {
      // A completion without an answer may have made the object. A failure leaves an orphan.
      await this.remove(id).catch(() => undefined);
      throw error;
    }
  }

  async open(id: DataId, range?: ByteRange): Promise<Readable> {
    const bucket = await this.#open();
    try {
      return await bucket.get(this.#key(id), range);
    } catch (error) {
      throw errorName(error) === 'NoSuchKey'
        ? new DataMissingError(id, error)
        : storeError(this.holds, error);
    }
  }

  async remove(id: DataId): Promise<void> {
    const key = this.#key(id);
    try {
      const bucket = await this.#open();
      for await (const upload of bucket.uploads(key)) {
        if (upload.Key === key) await bucket.abort(upload);
      }
      await bucket.delete(key);
    } catch (error) {
      throw storeError(this.holds, error);
    }
  }

  async *list(): AsyncIterable<DataId> {
    const bucket = await this.#open();
    try {
      for await (const { Key } of bucket.uploads(this.#objects)) yield* this.#idsOf(Key);
      for await (const key of bucket.keys(this.#objects)) yield* this.#idsOf(key);
    } catch (error) {
      throw storeError(this.holds, error);
    }
  }

  /** One part is being sent while the next is filled. */
  async #fill(bucket: S3Bucket, upload: MultipartUpload, data: Readable): Promise<void> {
    const sent: ReturnType<S3Bucket['uploadPart']>[] = [];
    try {
      for await (const part of partsOf(data, this.sizeLimit)) {
        await sent.at(-1)?.catch(this.#rethrown);
        const sending = bucket.uploadPart(upload, sent.length + 1, part);
        // Awaited later.
        sending.catch(() => undefined);
        sent.push(sending);
      }
    } finally {
      // A part that arrives after its upload was aborted would remain.
      await sent.at(-1)?.catch(() => undefined);
    }
    if (sent.length === 0) return this.#putNothing(bucket, upload);
    await bucket.complete(upload, await Promise.all(sent)).catch(this.#rethrown);
  }

  /** An upload without any parts cannot be completed. */
  async #putNothing(bucket: S3Bucket, upload: MultipartUpload): Promise<void> {
    await bucket.put(upload.Key, Buffer.alloc(0)).catch(this.#rethrown);
    await bucket.abort(upload).catch(this.#rethrown);
  }

  /** The client is large: load it only for services with an S3 store. */
  #open(): Promise<S3Bucket> {
    this.#bucket ??= import('./s3-bucket.js').then((module) => new module.S3Bucket(this.location));
    return this.#bucket;
  }

  #key(id: DataId): string {
    return this.#objects + id;
  }

  *#idsOf(key: string): Iterable<DataId> {
    const id = key.slice(this.#objects.length);
    if (isDataId(id)) yield id;
  }
}

async function readIfThere(bucket: S3Bucket, key: string): Promise<string | undefined> {
  try {
    return (await text(await bucket.get(key))).trim();
  } catch (error) {
    if (errorName(error) === 'NoSuchKey') return undefined;
    throw error;
  }
}

/** Claims a store that seemed unclaimed. @returns its owner */
async function claimedBy(
  bucket: S3Bucket,
  key: string,
  databaseId: string,
): Promise<string | undefined> {
  try {
    await bucket.put(key, Buffer.from(databaseId), { ifAbsent: true });
  } catch (error) {
    if (!CLAIMED.has(errorName(error))) throw error;
  }
  return readIfThere(bucket, key);
}

/**
 * Splits data of unknown length into the parts of a multipart upload. Public source: Amazon S3
 * User Guide, "Amazon S3 multipart upload limits".
 */
const MIB = 1024 ** 2;
const MAX_PARTS = 10_000;
const MIN_PART_BYTES = 8 * MIB;

/** The largest object that S3 accepts. */
const MAX_OBJECT_BYTES = 5 * 1024 ** 4;

/**
 * Bytes of a part. Parts grow just enough for all of them together to hold `limit` bytes: small
 * objects then use little memory, and large ones still fit.
 * @param number starts at 1
 */
export function partBytes(number: number, limit: number): number {
  const average = Math.min(limit, MAX_OBJECT_BYTES) / MAX_PARTS;
  const growth = Math.max(0, (2 * (average - MIN_PART_BYTES)) / MAX_PARTS);
  return Math.ceil((MIN_PART_BYTES + growth * number) / MIB) * MIB;
}

/** The data in parts, each in its own buffer; none if there are no bytes. */
export async function* partsOf(data: AsyncIterable<Buffer>, limit: number): AsyncIterable<Buffer> {
  let number = 1;
  let part = Buffer.allocUnsafeSlow(partBytes(number, limit));
  let filled = 0;
  for await (const chunk of data) {
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.copy(part, filled, at);
      at += taken;
      filled += taken;
      if (filled < part.length) continue;
      yield part;
      number += 1;
      part = Buffer.allocUnsafeSlow(partBytes(number, limit));
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}
