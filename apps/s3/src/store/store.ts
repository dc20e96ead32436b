/** The store of objects' bytes: one entry per data id, written once and never changed. */
import type { Readable } from 'node:stream';
import type { ByteRange } from '../objects/byte-range.js';
import type { DataId } from '../objects/object.entity.js';

export const STORE = Symbol('store');

export interface Store {
  /** When it returns, the bytes survive a power cut; when it throws, there are none. */
  put(id: DataId, data: Readable): Promise<void>;
  open(id: DataId, range?: ByteRange): Promise<Readable>;
}
