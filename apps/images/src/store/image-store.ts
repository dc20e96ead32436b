/**
 * Where the bytes of images are kept: one object per upload, named by its id, written once and
 * never changed. What it means precisely is in `store-contract.fixture.ts`, which every store passes.
 */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { asId } from '@cumulet/common/context/ids';
import type { DataId } from '../images/image.entity.js';

/** Positions of the first and of the last byte, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export const IMAGE_STORE = Symbol('image store');

export interface ImageStore {
  /** Names it in start-up lines: `files in /var/lib/cumulet/images`. */
  readonly description: string;

  /** Whether it loses everything with its process. */
  readonly isVolatile: boolean;

  /**
   * The id of the database that it is bound to; undefined where it is bound to none, or is a place
   * at which no store is. Makes nothing.
   * @throws StoreUnusableError
   */
  mark(): Promise<string | undefined>;

  /**
   * Binds the store to a database by that one's id, for good. `claim-store.ts` says when it may be.
   * @throws StoreOfAnotherDatabaseError or StoreUnusableError
   */
  claim(databaseId: string): Promise<void>;

  /**
   * Stores all that `data` yields. When it returns, the object survives a power cut; when it
   * throws, there is no such object.
   * @throws StoreFullError, StoreUnavailableError, or whatever `data` failed with
   */
  put(id: DataId, data: Readable): Promise<void>;

  /**
   * @param range lies within the object; absent for all of it
   * @throws DataMissingError where there is no whole object of this id
   */
  open(id: DataId, range?: ByteRange): Promise<Readable>;

  /** Removes the object, or what a `put` that was cut short has left of it; it may be gone already. */
  remove(id: DataId): Promise<void>;

  /** Every object, and whatever an unfinished `put` has left. */
  list(): AsyncIterable<DataId>;
}

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function newDataId(): DataId {
  return asId(randomUUID());
}

export function isDataId(value: string): value is DataId {
  return FORM.test(value);
}
