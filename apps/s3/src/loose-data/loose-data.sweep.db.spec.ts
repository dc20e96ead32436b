/** Which bytes are removed, and when: real rows, and a store in memory. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '@cumulet/common/database/transaction';
import { createLogger } from '@cumulet/common/observe/logger';
import { Metrics } from '@cumulet/common/observe/metrics';
import { MemoryStore } from '@cumulet/storage/stores/memory-store';
import { StoreUnavailableError } from '@cumulet/storage/stores/store.errors';
import { HELD } from '../config.js';
import { LooseDataWorld } from './loose-data.fixture.js';
import { LooseDataSweep } from './loose-data.sweep.js';

let world: LooseDataWorld;

beforeAll(async () => {
  world = await LooseDataWorld.start();
});
afterAll(() => world.end());
beforeEach(() => world.clear());

function sweep(store = world.store): Promise<void> {
  const logger = createLogger('test', 'silent');
  const claims = world.claimsOf(store);
  const metrics = new Metrics('s3');
  return new LooseDataSweep(world.looseData, store, claims, metrics, logger).run(world.ctx);
}

describe('loose bytes', () => {
  it('are removed after their grace period, together with their row', async () => {
    await world.putLoose(-1);
    const written = await world.putLoose(60);
    await sweep();
    expect([await world.stored(), await world.loose()]).toEqual([[written], [written]]);
  });

  it('include those of a part, some minutes after it was deleted', async () => {
    const id = await world.put();
    const remove = await world.keep(world.ctx, id);
    await sweep();
    await remove();
    await sweep();
    // Somebody may be about to read them.
    expect(await world.stored()).toEqual([id]);
    await world.passTime('10 minutes');
    await sweep();
    expect([await world.stored(), await world.loose()]).toEqual([[], []]);
  });

  it('are all removed, however many there are', async () => {
    await Promise.all(Array.from({ length: 1_100 }, () => world.putLoose(-1)));
    await sweep();
    expect([await world.stored(), await world.loose()]).toEqual([[], []]);
  });

  it('may already be missing, as after a crash between bytes and row', async () => {
    await world.store.remove(await world.putLoose(-1));
    await sweep();
    expect(await world.loose()).toEqual([]);
  });
});

describe('bytes that an object is taking', () => {
  it('are kept if it takes them', async () => {
    const id = await world.putLoose(-1);
    await inTransaction(world.ctx, async (tx) => {
      expect(await world.looseData.take(tx, id)).toBe(true);
      await world.keep(tx, id);
      await sweep();
    });
    await sweep();
    expect([await world.stored(), await world.loose()]).toEqual([[id], []]);
  });

  it('are removed if it does not', async () => {
    const id = await world.putLoose(-1);
    const publish = inTransaction(world.ctx, async (tx) => {
      await world.looseData.take(tx, id);
      await sweep();
      throw new Error('its key is locked');
    });
    await expect(publish).rejects.toThrow('its key is locked');
    expect(await world.stored()).toEqual([id]);
    await sweep();
    expect([await world.stored(), await world.loose()]).toEqual([[], []]);
  });

  it('are refused to it once their removal has begun', async () => {
    const id = await world.putLoose(-1);
    world.store.failNextRemove = new Error('the disk is away');
    await sweep();
    expect(await world.looseData.take(world.ctx, id)).toBe(false);
  });
});

describe('bytes that cannot be removed', () => {
  it('are retried a minute later', async () => {
    const id = await world.putLoose(-1);
    world.store.failNextRemove = new Error('the disk is away');
    await sweep();
    await sweep();
    expect([await world.stored(), await world.loose()]).toEqual([[id], [id]]);
    await world.passTime('1 minute');
    await sweep();
    expect([await world.stored(), await world.loose()]).toEqual([[], []]);
  });

  it('keep their rows if the store is not mounted', async () => {
    const id = await world.putLoose(-1);
    const mountPoint = new MemoryStore(HELD);
    await expect(sweep(mountPoint)).rejects.toThrow(StoreUnavailableError);
    expect(await world.loose()).toEqual([id]);
  });
});
