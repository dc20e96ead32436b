/** Where bytes are: in memory, until the file store and the upstream store come. */
import { Readable } from 'node:stream';
import { Feature } from '@cumulet/common/service/feature';
import type { ByteRange } from '../objects/byte-range.js';
import type { DataId } from '../objects/object.entity.js';
import { STORE, type Store } from './store.js';

class MemoryStore implements Store {
  readonly #objects = new Map<DataId, Buffer>();

  async put(id: DataId, data: Readable): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of data as AsyncIterable<Buffer>) chunks.push(chunk);
    this.#objects.set(id, Buffer.concat(chunks));
  }

  open(id: DataId, range?: ByteRange): Promise<Readable> {
    const bytes = this.#objects.get(id);
    if (!bytes) return Promise.reject(new Error(`the store has no data ${id}`));
    const part = range ? bytes.subarray(range.first, range.last + 1) : bytes;
    return Promise.resolve(Readable.from([part], { objectMode: false }));
  }
}

@Feature({ providers: [{ provide: STORE, useClass: MemoryStore }] })
export class StoreModule {}
