import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RequestContext } from '@cumulet/common/context/request-context';
import { withSessionLock } from '@cumulet/common/database/advisory-lock';
import { createLogger } from '@cumulet/common/observe/logger';
import { runReconciler } from '@cumulet/common/reconcile/run-reconciler';
import { initialState } from '@cumulet/common/states/transition';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { reconcilerSuite } from '@cumulet/testing/reconciler-suite';
import type { DataSource } from 'typeorm';
import { networkService } from '../service.js';
import { FakeCompute } from './compute.fixture.js';
import { ServerEventReconciler, serverEvents } from './server-event.reconciler.js';
import { serverEventStates } from './server-event.states.js';

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;
let compute: FakeCompute;
const logger = createLogger('test', 'silent');

beforeAll(async () => {
  database = await createTestDatabase(networkService);
  dataSource = await networkService.dataSource(database.url).initialize();
  ctx = RequestContext.system('req-server-events', dataSource.manager);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(async () => {
  compute = new FakeCompute();
  await serverEvents.deleteAll(ctx, []);
});

/** @returns its ID, which is also that of its port */
async function newEvent(createdAt = new Date()): Promise<string> {
  const id = randomUUID();
  await serverEvents.insert(ctx, {
    id,
    portId: id,
    serverId: randomUUID(),
    createdAt,
    name: 'network-changed',
    status: 'completed',
    ...initialState(serverEventStates),
  });
  return id;
}

const reconciler = (): ServerEventReconciler => new ServerEventReconciler(compute, logger);
const run = (id: string) => runReconciler(reconciler(), ctx, id, 0, { logger });
const isLeft = async (id: string) => (await serverEvents.find(ctx, id)) !== undefined;

describe('events for compute', () => {
  reconcilerSuite({
    reconciler,
    ctx: () => ctx,
    world: (id) => compute.of(id),
    state: 'waiting',
    phases: ['tell'],
    arrange: () => newEvent(),
    expectDone: async (id) => {
      expect(await isLeft(id)).toBe(false);
      expect(compute.of(id)).toEqual(['network-changed']);
    },
    expectFailed: async (id) => expect(await isLeft(id)).toBe(false),
  });

  it('are delivered together, the oldest first', async () => {
    const later = await newEvent(new Date('2026-01-02'));
    const sooner = await newEvent(new Date('2026-01-01'));
    expect(await run(later)).toBe('done');
    expect(compute.requests.map((events) => events.map(({ portId }) => portId))).toEqual([
      [sooner, later],
    ]);
    expect(await run(sooner)).toBe('settled');
  });

  it('are delivered in batches of a hundred, until the requested one is delivered', async () => {
    for (let at = 0; at < 100; at += 1) await newEvent(new Date(2026, 0, 1));
    const last = await newEvent(new Date(2026, 0, 2));
    expect(await run(last)).toBe('waiting');
    expect(await run(last)).toBe('done');
    expect(compute.requests.map((events) => events.length)).toEqual([100, 1]);
  });

  it('wait until the delivering process has ended', async () => {
    const id = await newEvent();
    await withSessionLock(dataSource, 'server-events', async () => {
      expect(await run(id)).toBe('waiting');
      expect(compute.requests).toEqual([]);
    });
    expect(await run(id)).toBe('done');
  });

  it('stay if the answer was lost, and are delivered again', async () => {
    const id = await newEvent();
    compute.unanswered = 1;
    expect(await run(id)).toBe('retried');
    expect(await isLeft(id)).toBe(true);
    expect(await run(id)).toBe('done');
  });
});
