/** Dead uploads, unclaimed staged data, and deleted images. */
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Liveness } from '@cumulet/common/jobs/liveness';
import { createLogger } from '@cumulet/common/observe/logger';
import { reconcilerSweep } from '@cumulet/common/reconcile/reconciler-sweep';
import { transition } from '@cumulet/common/states/transition';
import { type DataId, newDataId } from '@cumulet/storage/stores/byte-store';
import { reconcilerSuite } from '@cumulet/testing/reconciler-suite';
import { ImportWorld } from '../imports/import-world.fixture.js';
import { insertImage } from '../images/image-row.fixture.js';
import type { Image } from '../images/image.entity.js';
import { imageStates, type ImageEvent, type ImageState } from '../images/image.states.js';

const HOURS = 2;

let world: ImportWorld;

beforeAll(async () => {
  world = await ImportWorld.start({ stagedHours: HOURS });
});
afterAll(() => world.stop());
afterEach(() => world.clear());

/** An image with its objects in the store. */
async function stored(fields: Partial<Image>): Promise<Image> {
  const image = await insertImage(world.ctx, fields);
  for (const id of [image.dataId, image.stagedDataId]) {
    if (id) await world.store.put(id, Readable.from([Buffer.from('0123456789')]));
  }
  return image;
}

const isThere = (id: DataId | null): boolean => id !== null && world.store.ids.has(id);

describe.each(['saving', 'staging'] as const)('an upload that is %s', (state) => {
  const upload = (fields: Partial<Image> = {}): Promise<Image> => stored({ state, ...fields });

  const expectTakenBack = async (id: string): Promise<void> => {
    expect(await world.row(id)).toMatchObject({
      state: 'queued',
      stateReason: 'The upload ended before all data had arrived.',
      dataId: null,
      stagedDataId: null,
      uploadOwner: null,
    });
    expect([...world.store.ids]).toEqual([]);
  };

  it('is reverted, without bytes, once its process is silent at two checks', async () => {
    const { id } = await upload();
    const { reconciler } = world;
    expect(await world.run(id, reconciler)).toBe('waiting');
    expect(await world.row(id)).toMatchObject({ state });
    expect(await world.run(id, reconciler)).toBe('failed');
    await expectTakenBack(id);
  });

  it('is left alone if it was renewed between the checks', async () => {
    const { id } = await upload();
    const { reconciler } = world;
    await world.run(id, reconciler);
    const progress = state === 'saving' ? 'progress' : 'stageProgress';
    await transition(world.ctx, imageStates, id, progress);
    expect(await world.run(id, reconciler)).toBe('waiting');
    expect(await world.row(id)).toMatchObject({ state });
  });

  it('is left alone while its process lives', async () => {
    const { id, uploadOwner } = await upload();
    const liveness = new Liveness(world.config.databaseUrl, () => undefined);
    await liveness.hold(uploadOwner ?? '');
    const { reconciler } = world;
    for (const _ of [1, 2, 3]) expect(await world.run(id, reconciler)).toBe('waiting');
    await liveness.stop();
  });

  it('is reverted past its deadline, even from a living process', async () => {
    const { id, uploadOwner } = await upload({ stateDeadline: new Date(Date.now() - 1) });
    const liveness = new Liveness(world.config.databaseUrl, () => undefined);
    await liveness.hold(uploadOwner ?? '');
    expect(await world.run(id)).toBe('failed');
    await expectTakenBack(id);
    await liveness.stop();
  });

  it('is reverted past its deadline if no worker came in time', async () => {
    const { id } = await upload({ stateDeadline: new Date(Date.now() - 41_000) });
    await world.sweep(reconcilerSweep([world.reconciler], createLogger('test', 'silent')));
    await expectTakenBack(id);
  });
});

describe('staged data that nobody imports', () => {
  const staged = (hoursAgo: number, fields: Partial<Image> = {}): Promise<Image> => {
    const stateSince = new Date(Date.now() - hoursAgo * 3_600_000);
    return stored({ state: 'staged', stateSince, ...fields });
  };

  it.each([
    ['after its time', {}],
    ['past its deadline', { stateDeadline: new Date(Date.now() - 1) }],
  ])('goes %s, and its image tells why', async (_, fields) => {
    const { id } = await staged(HOURS + 0.1, fields);
    expect(await world.run(id)).toBe('failed');
    expect(await world.row(id)).toMatchObject({
      state: 'queued',
      stateReason: 'The staged data was removed, as it was not imported within 2 hours.',
      stagedDataId: null,
      stagedSize: null,
    });
    expect([...world.store.ids]).toEqual([]);
  });

  it('is kept until then', async () => {
    const { id, stagedDataId } = await staged(HOURS - 0.1);
    expect(await world.run(id)).toBe('waiting');
    expect(await world.row(id)).toMatchObject({ state: 'staged', stagedDataId });
    expect(isThere(stagedDataId)).toBe(true);
  });

  it('is left to an import that begins at the last moment', async () => {
    const { id, stagedDataId } = await staged(HOURS + 0.1);
    const { reconciler } = world;
    const load = reconciler.load.bind(reconciler);
    reconciler.load = async (...args) => {
      const image = await load(...args);
      await transition(world.ctx, imageStates, id, 'import').catch(() => 'it imports already');
      return image;
    };
    expect(await world.run(id, reconciler)).toBe('superseded');
    expect(await world.row(id)).toMatchObject({ state: 'import_waiting', stagedDataId });
    expect(isThere(stagedDataId)).toBe(true);
  });
});

describe('a deleted image', () => {
  const deleted = (fields: Partial<Image> = {}): Promise<Image> =>
    stored({ state: 'pending_delete', stagedDataId: newDataId(), ...fields });

  reconcilerSuite<Image, ImageState, ImageEvent>({
    state: 'pending_delete',
    phases: ['removeObjects', 'removeRow'],
    reconciler: () => world.reconciler,
    ctx: () => world.ctx,
    arrange: async () => (await deleted()).id,
    world: () => [...world.store.ids],
    expectDone: async (id) => {
      expect(await world.images.find(world.ctx, id as Image['id'])).toBeUndefined();
      expect([...world.store.ids]).toEqual([]);
    },
    expectFailed: () => Promise.reject(new Error('a delete is tried again until it is done')),
  });

  it('is retried while its objects cannot be removed', async () => {
    const { id, dataId } = await deleted();
    world.store.failNextRemove = new Error('the disk is away');
    expect(await world.run(id)).toBe('retried');
    expect(isThere(dataId)).toBe(true);
    expect(await world.run(id)).toBe('done');
    expect([...world.store.ids]).toEqual([]);
  });

  it('is retried past its deadline too, and tells the operator', async () => {
    const { id } = await deleted({ stateDeadline: new Date(Date.now() - 1) });
    expect(await world.run(id)).toBe('failed');
    const image = await world.row(id);
    expect(image).toMatchObject({ state: 'pending_delete' });
    expect(Number(image.stateDeadline)).toBeGreaterThan(Date.now() + 60_000);
    expect(await world.run(id)).toBe('done');
  });
});
