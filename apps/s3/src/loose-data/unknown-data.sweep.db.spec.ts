/** Data without a row, as after a restored database or a power cut. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '@cumulet/common/database/transaction';
import { createLogger } from '@cumulet/common/observe/logger';
import { MemoryStore } from '@cumulet/storage/stores/memory-store';
import { StoreUnavailableError } from '@cumulet/storage/stores/store.errors';
import { HELD } from '../config.js';
import { LooseDataWorld } from './loose-data.fixture.js';
import { UnknownDataSweep } from './loose-data.sweep.js';

let world: LooseDataWorld;

beforeAll(async () => {
  world = await LooseDataWorld.start();
});
afterAll(() => world.end());
beforeEach(() => world.clear());

function sweep(store = world.store): Promise<void> {
  const logger = createLogger('test', 'silent');
  const claims = world.claimsOf(store);
  return new UnknownDataSweep(store, claims, world.rows, logger).run(world.ctx);
}

describe('bytes in the store', () => {
  it('become loose if no row refers to them', async () => {
    const unknown = await world.put();
    const kept = await world.put();
    await world.keep(world.ctx, kept);
    await sweep();
    expect(await world.loose()).toEqual([unknown]);
  });

  it('keep their grace period if they are loose already', async () => {
    await world.putLoose(3_600);
    const before: unknown = await world.dataSource.query('SELECT * FROM loose_data');
    await sweep();
    expect(await world.dataSource.query('SELECT * FROM loose_data')).toEqual(before);
  });

  it('never become loose while objects take them', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => world.putLoose(60)));
    const publishing = ids.map((id) =>
      inTransaction(world.ctx, async (tx) => {
        await world.looseData.take(tx, id);
        await world.keep(tx, id);
      }),
    );
    for (let round = 0; round < 20; round += 1) await sweep();
    await Promise.all(publishing);
    await sweep();
    expect(await world.loose()).toEqual([]);
  });

  it('are not searched if the store is not mounted', async () => {
    await expect(sweep(new MemoryStore(HELD))).rejects.toThrow(StoreUnavailableError);
  });
});
