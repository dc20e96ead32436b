/** The contract of stores as tests, which `FileStore`, `MemoryStore` and `S3Store` pass. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newDataId, type ByteRange, type ByteStore, type DataId } from './byte-store.js';
import { DataMissingError, StoreOfAnotherDatabaseError } from './store.errors.js';

export interface StoreUnderTest {
  readonly store: ByteStore;
  /** The same objects through another instance, as another process sees them. */
  readonly again: () => ByteStore;
  readonly end: () => Promise<void>;
}

export function storeContract(create: () => Promise<StoreUnderTest>): void {
  describe('every store', () => {
    let subject: StoreUnderTest;
    const database = newDataId();

    beforeEach(async () => {
      subject = await create();
      expect(await subject.store.mark()).toBeUndefined();
      await subject.store.claim(database);
    });
    afterEach(() => subject.end());

    const put = async (bytes: Buffer): Promise<DataId> => {
      const id = newDataId();
      await subject.store.put(id, Readable.from(pieces(bytes), { objectMode: false }));
      return id;
    };
    const read = async (id: DataId, range?: ByteRange): Promise<Buffer> =>
      Buffer.concat((await (await subject.store.open(id, range)).toArray()) as Buffer[]);
    const ids = async (): Promise<DataId[]> => {
      const found: DataId[] = [];
      for await (const id of subject.store.list()) found.push(id);
      return found;
    };

    it('gives back what was put', async () => {
      const bytes = randomBytes(300_000);
      expect((await read(await put(bytes))).equals(bytes)).toBe(true);
    });

    it('keeps an object of no bytes', async () => {
      expect(await read(await put(Buffer.alloc(0)))).toHaveLength(0);
    });

    it('gives back a range, its last byte included', async () => {
      const id = await put(Buffer.from('0123456789'));
      expect((await read(id, { first: 3, last: 6 })).toString()).toBe('3456');
      expect((await read(id, { first: 9, last: 9 })).toString()).toBe('9');
    });

    it('shows an object to another instance once it is put', async () => {
      const id = await put(Buffer.from('shared'));
      const stream = await subject.again().open(id);
      expect(Buffer.concat((await stream.toArray()) as Buffer[]).toString()).toBe('shared');
    });

    it('has no object after the data broke off, and says why', async () => {
      const id = newDataId();
      const broken = Readable.from(breaking(), { objectMode: false });
      await expect(subject.store.put(id, broken)).rejects.toThrow('the cable was pulled');
      await expect(subject.store.open(id)).rejects.toThrow(DataMissingError);
      expect(await ids()).toEqual([]);
    });

    it('says why the data failed where it had failed before', async () => {
      const failed = new Readable({ read: () => undefined });
      failed.on('error', () => undefined).destroy(new Error('the cable was never there'));
      const put = subject.store.put(newDataId(), failed);
      await expect(put).rejects.toThrow('the cable was never there');
      expect(await ids()).toEqual([]);
    });

    it('refuses to open what was never put', async () => {
      await expect(subject.store.open(newDataId())).rejects.toThrow(DataMissingError);
    });

    it('has nothing left of an object that was removed', async () => {
      const id = await put(randomBytes(10));
      await subject.store.remove(id);
      await expect(subject.store.open(id)).rejects.toThrow(DataMissingError);
      expect(await ids()).toEqual([]);
    });

    it('goes on reading an object after it is removed', async () => {
      const bytes = randomBytes(2_000_000);
      const id = await put(bytes);
      const stream = await subject.store.open(id);
      await subject.store.remove(id);
      expect(Buffer.concat((await stream.toArray()) as Buffer[]).equals(bytes)).toBe(true);
    });

    it('removes what is not there without complaint', async () => {
      await expect(subject.store.remove(newDataId())).resolves.toBeUndefined();
    });

    it('lists every object', async () => {
      const put1 = await put(randomBytes(1));
      const put2 = await put(randomBytes(2));
      expect((await ids()).sort()).toEqual([put1, put2].sort());
    });

    it('lists an object that is still being put', async () => {
      const id = newDataId();
      const slow = new Readable({ read: () => undefined });
      const putting = subject.store.put(id, slow);
      slow.push('half');
      let listed: DataId[] = [];
      while (listed.length === 0) listed = await ids();
      expect(listed).toEqual([id]);
      slow.push(null);
      await putting;
    });

    it('stays with the database that claimed it', async () => {
      expect(await subject.again().mark()).toBe(database);
      await expect(subject.again().claim(database)).resolves.toBeUndefined();
      await expect(subject.again().claim(newDataId())).rejects.toThrow(StoreOfAnotherDatabaseError);
    });
  });
}

function* pieces(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

function* breaking(): Iterable<Buffer> {
  yield randomBytes(100_000);
  throw new Error('the cable was pulled');
}
