/** Objects in memory, which end with the process. Tests can make it fail. */
import { Readable } from 'node:stream';
import type { ByteRange, ByteStore, DataId } from './byte-store.js';
import { DataMissingError, StoreOfAnotherDatabaseError } from './store.errors.js';

export class MemoryStore implements ByteStore {
  readonly description = 'memory (nothing outlives the process)';
  readonly isVolatile = true;
  readonly #objects = new Map<DataId, Buffer>();
  readonly #incoming = new Set<DataId>();
  #databaseId: string | undefined;

  /** The error of the next `put`, once it has read all of its data. */
  failNextPut: Error | undefined;

  /** The error of the next `remove`. */
  failNextRemove: Error | undefined;

  /** @param holds the kind of data, in one word: `image` */
  constructor(readonly holds: string) {}

  mark(): Promise<string | undefined> {
    return Promise.resolve(this.#databaseId);
  }

  claim(databaseId: string): Promise<void> {
    this.#databaseId ??= databaseId;
    if (this.#databaseId === databaseId) return Promise.resolve();
    return Promise.reject(new StoreOfAnotherDatabaseError(this.holds, this.description));
  }

  async put(id: DataId, data: Readable): Promise<void> {
    this.#incoming.add(id);
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of data as AsyncIterable<Buffer>) chunks.push(chunk);
      this.#throwOnce('failNextPut');
      this.#objects.set(id, Buffer.concat(chunks));
    } finally {
      this.#incoming.delete(id);
    }
  }

  open(id: DataId, range?: ByteRange): Promise<Readable> {
    const object = this.#objects.get(id);
    if (!object) return Promise.reject(new DataMissingError(id));
    const part = range ? object.subarray(range.first, range.last + 1) : object;
    return Promise.resolve(Readable.from([part], { objectMode: false }));
  }

  remove(id: DataId): Promise<void> {
    return Promise.resolve().then(() => {
      this.#throwOnce('failNextRemove');
      this.#objects.delete(id);
    });
  }

  async *list(): AsyncIterable<DataId> {
    yield* await Promise.resolve([...this.#incoming, ...this.#objects.keys()]);
  }

  #throwOnce(failure: 'failNextPut' | 'failNextRemove'): void {
    const error = this[failure];
    this[failure] = undefined;
    if (error) throw error;
  }
}
