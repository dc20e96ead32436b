import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { transition } from '@cumulet/common/states/transition';
import { createLogger } from '@cumulet/common/observe/logger';
import { insertImage } from '../images/image-row.fixture.js';
import type { DataId, Image } from '../images/image.entity.js';
import { imageStates } from '../images/image.states.js';
import { ImportWorld } from '../imports/import-world.fixture.js';
import { ExpiredStagingSweep } from './expired-staging.sweep.js';
import { StagedDataRepository } from './staged-data.repository.js';

const HOURS = 2;

let world: ImportWorld;

beforeAll(async () => {
  world = await ImportWorld.start();
});
afterAll(() => world.stop());
afterEach(() => world.clear());

async function staged(hoursAgo: number): Promise<Image> {
  const stateSince = new Date(Date.now() - hoursAgo * 3_600_000);
  const image = await insertImage(world.ctx, { state: 'staged', stateSince });
  await world.store.put(image.stagedDataId as DataId, Readable.from([Buffer.from('0123456789')]));
  return image;
}

function sweep(repository = new StagedDataRepository()): Promise<void> {
  const logger = createLogger('test', 'silent');
  const config = { stagedHours: HOURS };
  return new ExpiredStagingSweep(repository, world.orphans, config, logger).run(world.ctx);
}

describe('staged data that nobody imports', () => {
  it('goes after its time, and its image tells why', async () => {
    const { id } = await staged(HOURS + 0.1);
    await sweep();
    expect(await world.row(id)).toMatchObject({
      state: 'queued',
      stateReason: 'The staged data was removed, as it was not imported within 2 hours.',
      stagedDataId: null,
      stagedSize: null,
    });
    expect([...world.store.ids]).toEqual([]);
  });

  it('stays until then', async () => {
    const { id, stagedDataId } = await staged(HOURS - 0.1);
    await sweep();
    expect(await world.row(id)).toMatchObject({ state: 'staged', stagedDataId });
    expect([...world.store.ids]).toEqual([stagedDataId]);
  });

  it('is left to an import that begins at the last moment', async () => {
    const { id, stagedDataId } = await staged(HOURS + 0.1);
    const repository = new StagedDataRepository();
    const found = await repository.olderThan(world.ctx, HOURS);
    jest.spyOn(repository, 'olderThan').mockResolvedValue(found);
    await transition(world.ctx, imageStates, id, 'import');
    await sweep(repository);
    expect(await world.row(id)).toMatchObject({ state: 'import_waiting', stagedDataId });
    expect([...world.store.ids]).toEqual([stagedDataId]);
  });
});
