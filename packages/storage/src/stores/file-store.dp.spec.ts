/** The file store on a real file system: the contract, and what only files can get wrong. */
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { newDataId, type DataId } from './byte-store.js';
import { FileStore } from './file-store.js';
import { storeContract } from './store-contract.fixture.js';
import { StoreUnavailableError } from './store.errors.js';

storeContract(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cumulet-store-'));
  return {
    store: new FileStore(folder, 'widget'),
    again: () => new FileStore(folder, 'widget'),
    end: () => rm(folder, { recursive: true, force: true }),
  };
});

describe('FileStore', () => {
  let folder: string;
  let store: FileStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cumulet-store-'));
    store = new FileStore(folder, 'widget');
    await store.claim(newDataId());
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('keeps objects from other users of the machine', async () => {
    const id = newDataId();
    await store.put(id, Readable.from(['secret'], { objectMode: false }));
    const { mode } = await stat(join(folder, 'objects', id.slice(0, 2), id));
    expect(mode & 0o077).toBe(0);
  });

  it('builds paths from UUIDs only', async () => {
    const outside = asId<DataId>('../../etc/passwd');
    await expect(store.open(outside)).rejects.toThrow('an object ID is not a UUID');
    await expect(store.remove(outside)).rejects.toThrow('an object ID is not a UUID');
  });

  it('is unavailable, without a trace of the upload, when its folder is gone', async () => {
    await rm(join(folder, 'incoming'), { recursive: true });
    const put = store.put(newDataId(), Readable.from(['data'], { objectMode: false }));
    await expect(put).rejects.toThrow(StoreUnavailableError);
  });

  it('says at the start which folder it cannot use, and why', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const claim = new FileStore(file, 'widget').claim(newDataId());
    await expect(claim).rejects.toThrow(`The widget store ${file} cannot be used: ENOTDIR`);
  });

  it('creates nothing while it looks for a mark', async () => {
    const absent = join(folder, 'not-mounted');
    expect(await new FileStore(absent, 'widget').mark()).toBeUndefined();
    expect(await readdir(folder)).not.toContain('not-mounted');
  });

  it('leaves no object when it cannot rename it', async () => {
    const id = newDataId();
    await writeFile(join(folder, 'objects', id.slice(0, 2)), 'a file where a folder belongs');
    const put = store.put(id, Readable.from(['data'], { objectMode: false }));
    await expect(put).rejects.toThrow(StoreUnavailableError);
    expect(await readdir(join(folder, 'incoming'))).toEqual([]);
  });

  it('lists and removes what a killed process left half written', async () => {
    const id = newDataId();
    await writeFile(join(folder, 'incoming', id), 'half of');
    const listed: DataId[] = [];
    for await (const one of store.list()) listed.push(one);
    expect(listed).toEqual([id]);
    await store.remove(id);
    expect(await readdir(join(folder, 'incoming'))).toEqual([]);
  });

  it('lists its own objects only', async () => {
    await writeFile(join(folder, 'objects', 'README'), '');
    await mkdir(join(folder, 'objects', 'ab'));
    await writeFile(join(folder, 'objects', 'ab', 'notes.txt'), '');
    const listed: DataId[] = [];
    for await (const one of store.list()) listed.push(one);
    expect(listed).toEqual([]);
  });
});
