/**
 * A store of bytes: one object per write, named by its id, written once and never changed. The
 * exact contract is `store-contract.fixture.ts`, which every store passes.
 */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { asId, type Id } from '@cumulet/common/context/ids';

export type DataId = Id<'Data'>;

/** Positions of the first and the last byte, inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export interface ByteStore {
  /** The kind of data, in one word as errors name it: `image`. */
  readonly holds: string;

  /** Describes it in start-up lines: `files in /var/lib/cumulet/images`. */
  readonly description: string;

  /** Whether it loses everything when its process ends. */
  readonly isVolatile: boolean;

  /**
   * The id of the database that it is bound to; undefined if it is unbound, or no store exists
   * there. Creates nothing.
   * @throws StoreUnusableError
   */
  mark(): Promise<string | undefined>;

  /**
   * Binds the store to a database's ID for good; see `store-claims.ts`.
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
   * @throws DataMissingError if there is no complete object of this id
   */
  open(id: DataId, range?: ByteRange): Promise<Readable>;

  /** Removes the object, or the remains of an interrupted `put`. An absent one is not an error. */
  remove(id: DataId): Promise<void>;

  /** Every object, and the remains of unfinished `put`s. */
  list(): AsyncIterable<DataId>;
}

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function newDataId(): DataId {
  return asId(randomUUID());
}

export function isDataId(value: string): value is DataId {
  return FORM.test(value);
}
