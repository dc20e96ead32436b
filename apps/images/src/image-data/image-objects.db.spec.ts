import { type DataId, newDataId } from '@cumulet/storage/stores/byte-store';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { insertImage } from '../images/image-row.fixture.js';
import { ImportWorld } from '../imports/import-world.fixture.js';

let world: ImportWorld;

beforeAll(async () => {
  world = await ImportWorld.start();
});
afterAll(() => world.stop());
afterEach(() => world.clear());

async function put(id: DataId | null): Promise<DataId> {
  const name = id ?? newDataId();
  await world.store.put(name, Readable.from([Buffer.from('data')]));
  return name;
}

const sweep = (): Promise<void> => world.objects.removeAllOrphans(world.ctx);

it('the sweep removes objects that no image refers to, and no others', async () => {
  const running = await put((await insertImage(world.ctx, { state: 'saving' })).dataId);
  const active = await put((await insertImage(world.ctx, { state: 'active' })).dataId);
  const staged = await put((await insertImage(world.ctx, { state: 'staged' })).stagedDataId);
  await put(null);
  await sweep();
  expect([...world.store.ids].sort()).toEqual([running, active, staged].sort());
});

it('removes what is written for an image during its deletion', async () => {
  const dataId = await put((await insertImage(world.ctx, { state: 'pending_delete' })).dataId);
  expect(await world.objects.removeOrphans(world.ctx, [dataId, null])).toBe(1);
  expect([...world.store.ids]).toEqual([]);
});

it('the sweep retries what it could not remove', async () => {
  await put(null);
  world.store.failNextRemove = new Error('busy');
  await sweep();
  expect(world.store.ids.size).toBe(1);
  await sweep();
  expect(world.store.ids.size).toBe(0);
});
