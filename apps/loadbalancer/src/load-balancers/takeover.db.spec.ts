/** What becomes of the load balancers of a dead host. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@cumulet/common/observe/logger';
import { Metrics } from '@cumulet/common/observe/metrics';
import { inTransaction } from '@cumulet/common/database/transaction';
import { SupersededError, transition } from '@cumulet/common/states/transition';
import { SimulatedDataPlane } from '../data-plane/simulated-data-plane.js';
import { type LoadBalancer, loadBalancers } from '../tree/load-balancer.entity.js';
import { loadBalancerStates } from '../tree/load-balancer.states.js';
import { startLoadBalancer, type LoadBalancerFixture } from '../loadbalancer.fixture.js';
import { takeTree } from '../tree/take-tree.js';
import { ImmutableObjectError } from '../resources/octavia.errors.js';
import { insertTree, listeners, runTree } from '../tree/tree.fixture.js';
import { HostComparison } from './host-comparison.sweep.js';
import { HOST_IS_DOWN, TakeoverSweep } from './takeover.sweep.js';

let alive: LoadBalancerFixture;
let dying: LoadBalancerFixture | undefined;
let dataPlane: SimulatedDataPlane;
let metrics: Metrics;

beforeAll(async () => {
  alive = await startLoadBalancer({ config: { host: 'alive' } });
});
afterAll(() => alive.stop());
beforeEach(() => {
  dataPlane = new SimulatedDataPlane();
  metrics = new Metrics('test');
});
afterEach(async () => {
  await dying?.stop();
  dying = undefined;
  await alive.settle();
  await query('DELETE FROM load_balancers');
});

const query = (sql: string): Promise<unknown> => alive.app.dataSource.query(sql);

async function start(): Promise<LoadBalancerFixture> {
  dying = await startLoadBalancer({ beside: alive, config: { host: 'dying' }, dataPlane });
  return dying;
}

/** Stops its process, and lets the time pass in which nobody hears of it. */
async function die(): Promise<void> {
  await dying?.stop();
  dying = undefined;
  await silence('dying');
}

const silence = (host: string): Promise<unknown> =>
  query(`UPDATE hosts SET seen_at = now() - interval '9 seconds' WHERE name = '${host}'`);

const newSweep = (): TakeoverSweep => new TakeoverSweep(createLogger('test', 'silent'), metrics);

/** Every two seconds, until it has been silent for eight. */
async function look(sweep = newSweep()): Promise<void> {
  for (let now = 0; now <= 8_000; now += 2_000) await sweep.lookAt(alive.ctx, now);
}

const show = (id: string): Promise<LoadBalancer> => loadBalancers.get(alive.ctx, id);

const takeovers = async (): Promise<unknown> =>
  (await metrics.registry.getSingleMetric('load_balancer_takeovers_total')?.get())?.values[0]
    ?.value;

async function onDeadHost(): Promise<string> {
  const { id } = await runTree(await start());
  await die();
  return id;
}

it('another host runs load balancers of a dead one, which removes them when it is back', async () => {
  const id = await onDeadHost();
  await look();
  expect(await takeovers()).toBe(1);
  await alive.settle();
  expect(await show(id)).toMatchObject({ state: 'active', host: 'alive', stateReason: null });
  expect(alive.dataPlane.running.has(id)).toBe(true);
  const back = await start();
  await back.app.nest.get(HostComparison).compare(back.ctx);
  expect(dataPlane.running.has(id)).toBe(false);
  expect(await show(id)).toMatchObject({ state: 'active', host: 'alive' });
});

it('statuses show a dead host until another one runs its load balancers', async () => {
  const { id, listenerId } = await insertTree(alive, { state: 'active', host: await deadHost() });
  await query("UPDATE load_balancers SET operating_status = 'ONLINE'");
  await query("UPDATE listeners SET operating_status = 'ONLINE'");
  alive.dataPlane.delay = () => new Promise((resolve) => (go = resolve));
  let go: (() => void) | undefined;
  await look();
  expect(await show(id)).toMatchObject({
    state: 'pending_update',
    operatingStatus: 'ERROR',
    stateReason: HOST_IS_DOWN,
  });
  expect(await listeners.get(alive.ctx, listenerId)).toMatchObject({ operatingStatus: 'ERROR' });
  alive.dataPlane.delay = () => Promise.resolve();
  const settled = alive.settle();
  go?.();
  await settled;
  expect(await show(id)).toMatchObject({ state: 'active', host: 'alive', stateReason: null });
});

it.each(['pending_create', 'pending_update', 'error'] as const)(
  'load balancers in %s are also run elsewhere',
  async (state) => {
    const { id } = await insertTree(alive, { state, host: await deadHost() });
    await look();
    await alive.settle();
    expect(await show(id)).toMatchObject({ state: 'active', host: 'alive' });
  },
);

it('load balancers that are being deleted are deleted elsewhere', async () => {
  const id = await onDeadHost();
  await inTransaction(alive.ctx, (tx) => takeTree(tx, id, 'remove'));
  await look();
  await alive.settle();
  await expect(show(id)).rejects.toThrow(`Load Balancer ${id} not found.`);
  expect(alive.vips.ports.has(id)).toBe(false);
});

it('a takeover does not wait for pending work of the dead host', async () => {
  const id = await onDeadHost();
  await inTransaction(alive.ctx, (tx) => takeTree(tx, id));
  await query("UPDATE jobs SET worker = 'w', run_at = NULL");
  await look();
  await alive.settle();
  expect(await show(id)).toMatchObject({ state: 'active', host: 'alive' });
});

it('load balancers are taken over once by any number of processes', async () => {
  await onDeadHost();
  const sweeps = [newSweep()];
  metrics = new Metrics('other');
  sweeps.push(newSweep());
  for (let now = 0; now <= 8_000; now += 2_000)
    await Promise.all(sweeps.map((sweep) => sweep.lookAt(alive.ctx, now)));
  await alive.settle();
  const rows: unknown = await query('SELECT state, host FROM load_balancers');
  expect(rows).toEqual([{ state: 'active', host: 'alive' }]);
});

describe('while clients keep changing load balancers', () => {
  const mixed = ['change', 'remove', 'none', 'failover'] as const;

  /** Of many at once, each in the middle of something. @returns what is left, by id */
  async function race(act: (at: number, id: string) => Promise<unknown>): Promise<LoadBalancer[]> {
    const host = await deadHost();
    const ids = await Promise.all(
      Array.from(
        { length: 16 },
        async () => (await insertTree(alive, { state: 'active', host })).id,
      ),
    );
    const sweep = newSweep();
    const acts = ids.map((id, at) => act(at, id).catch(noteImmutable));
    await Promise.all([look(sweep), ...acts]);
    // What was changed between its look and its taking is found at the next.
    await sweep.lookAt(alive.ctx, 10_000);
    await alive.settle();
    return loadBalancers.select(alive.ctx, []);
  }

  it('each finally runs elsewhere or is deleted', async () => {
    const removed: string[] = [];
    const rows = await race(async (at, id) => {
      const event = mixed[at % mixed.length] ?? 'none';
      if (event === 'none') return;
      await inTransaction(alive.ctx, (tx) => takeTree(tx, id, event));
      if (event === 'remove') removed.push(id);
    });
    expect(removed).toHaveLength(4);
    expect(rows.map(({ id }) => id)).not.toEqual(expect.arrayContaining(removed));
    expect(rows.map(({ state, host }) => `${state} ${host ?? ''}`)).toEqual(
      Array.from({ length: 12 }, () => 'active alive'),
    );
    const running = [...alive.dataPlane.running.keys()];
    expect(running).toEqual(expect.arrayContaining(rows.map(({ id }) => id)));
    expect(removed.filter((id) => running.includes(id))).toEqual([]);
  });

  it('a host that is alive after all stops nothing that another one now runs', async () => {
    const { id } = await insertTree(alive, { state: 'pending_update', host: await deadHost() });
    const { generation } = await show(id);
    await look();
    await alive.settle();
    const late = transition(alive.ctx, loadBalancerStates, id, 'applied', { only: { generation } });
    await expect(late).rejects.toThrow(SupersededError);
    expect(await show(id)).toMatchObject({ state: 'active', host: 'alive' });
  });
});

function noteImmutable(error: unknown): void {
  if (!(error instanceof ImmutableObjectError)) throw error as Error;
}

describe('nothing is taken over', () => {
  it('in the first pass, as all hosts are silent after a database outage', async () => {
    const id = await onDeadHost();
    const sweep = newSweep();
    await sweep.lookAt(alive.ctx, 0);
    await sweep.lookAt(alive.ctx, 100_000);
    expect(await show(id)).toMatchObject({ state: 'active', host: 'dying' });
  });

  it('if no other host is alive, and statuses show that until it is back', async () => {
    const { id } = await runTree(alive);
    await query("UPDATE load_balancers SET operating_status = 'ONLINE'");
    // The process goes on reporting, and noting that it runs, which the sweep must not see.
    await inTransaction(alive.ctx, async (tx) => {
      await tx.manager.query("UPDATE hosts SET seen_at = now() - interval '9 seconds'");
      const sweep = newSweep();
      for (let now = 0; now <= 8_000; now += 2_000) await sweep.lookAt(tx, now);
      expect(await loadBalancers.get(tx, id)).toMatchObject({
        state: 'active',
        host: 'alive',
        operatingStatus: 'ERROR',
        stateReason: HOST_IS_DOWN,
      });
    });
    await alive.app.nest.get(HostComparison).compare(alive.ctx);
    expect(await show(id)).toMatchObject({ state: 'active', stateReason: null });
  });
});

/** A host of which nobody has heard for long. @returns its name */
async function deadHost(): Promise<string> {
  await query(
    `INSERT INTO hosts (name, data_plane, seen_at)
     VALUES ('dead', 'simulated', now() - interval '1 hour') ON CONFLICT DO NOTHING`,
  );
  return 'dead';
}
