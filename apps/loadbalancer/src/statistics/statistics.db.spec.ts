/** What the sweep writes down of what runs here. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TrafficStatistics } from '../data-plane/data-plane.js';
import { SimulatedDataPlane } from '../data-plane/simulated-data-plane.js';
import { noteDown } from '../load-balancers/takeover.sweep.js';
import { loadBalancers } from '../tree/load-balancer.entity.js';
import { startLoadBalancer, type LoadBalancerFixture } from '../loadbalancer.fixture.js';
import { inTransaction } from '@cumulet/common/database/transaction';
import { takeTree } from '../tree/take-tree.js';
import {
  insertTree,
  listeners,
  members,
  pools,
  runTree,
  type TreeIds,
} from '../tree/tree.fixture.js';
import { StatisticsSweep } from './statistics.sweep.js';

let fixture: LoadBalancerFixture;
let sweep: StatisticsSweep;
let tree: TreeIds;

beforeAll(async () => {
  // Only the test looks.
  const overrides = [{ provide: StatisticsSweep, useValue: {} }];
  fixture = await startLoadBalancer({ overrides });
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  sweep = new StatisticsSweep(fixture.dataPlane, fixture.config);
  tree = await runTree(fixture);
});

async function addHost(name: string): Promise<void> {
  await fixture.app.dataSource.query(
    `INSERT INTO hosts (name, data_plane, seen_at) VALUES ($1, 'simulated', now())`,
    [name],
  );
}

async function statuses(): Promise<object> {
  const { ctx } = fixture;
  const [lb, listener, pool, member] = await Promise.all([
    loadBalancers.get(ctx, tree.id),
    listeners.get(ctx, tree.listenerId),
    pools.get(ctx, tree.poolId),
    members.get(ctx, tree.memberId),
  ]);
  const shown = Object.entries({ lb, listener, pool, member });
  return Object.fromEntries(shown.map(([name, one]) => [name, one.operatingStatus]));
}

const WELL = { lb: 'ONLINE', listener: 'ONLINE', pool: 'ONLINE', member: 'NO_MONITOR' };
const BROKEN = { lb: 'ERROR', listener: 'ONLINE', pool: 'ERROR', member: 'ERROR' };

/** Rows of the statistics, by listener. */
async function statistics(): Promise<unknown> {
  const rows: Record<string, unknown>[] = await fixture.app.dataSource.query(
    `SELECT bytes_in::int, bytes_out::int, active_connections::int, total_connections::int,
            request_errors::int FROM listener_statistics WHERE listener_id = $1`,
    [tree.listenerId],
  );
  return rows[0];
}

function carry(total: number, active = 0): void {
  const traffic: TrafficStatistics = {
    bytesIn: total * 10,
    bytesOut: total * 100,
    totalConnections: total,
    activeConnections: active,
    requestErrors: 0,
  };
  fixture.dataPlane.traffic.set(tree.listenerId, traffic);
}

const counted = (total: number, active = 0): object => ({
  bytes_in: total * 10,
  bytes_out: total * 100,
  total_connections: total,
  active_connections: active,
  request_errors: 0,
});

describe('operating statuses', () => {
  it('are set as soon as a load balancer has been applied', async () => {
    expect(await statuses()).toEqual(WELL);
  });

  it('follow the observed status, in both directions', async () => {
    fixture.dataPlane.health.set(tree.memberId, 'ERROR');
    await sweep.look(fixture.ctx);
    expect(await statuses()).toEqual(BROKEN);
    fixture.dataPlane.health.delete(tree.memberId);
    await sweep.look(fixture.ctx);
    expect(await statuses()).toEqual(WELL);
  });

  it('are corrected if they have been overwritten', async () => {
    await sweep.look(fixture.ctx);
    await noteDown(fixture.ctx, [tree.id]);
    expect(await statuses()).toMatchObject({ lb: 'ERROR', listener: 'ERROR' });
    await sweep.look(fixture.ctx);
    expect(await statuses()).toEqual(WELL);
  });

  it('show that a load balancer does not run once it has been missing twice', async () => {
    const host = 'quiet';
    await addHost(host);
    tree = await insertTree(fixture, { host, state: 'active' });
    sweep = new StatisticsSweep(new SimulatedDataPlane(), { ...fixture.config, host });
    await sweep.look(fixture.ctx);
    expect(await statuses()).toMatchObject({ lb: 'OFFLINE', listener: 'OFFLINE' });
    await sweep.look(fixture.ctx);
    expect(await statuses()).toMatchObject({ lb: 'ERROR', listener: 'ERROR' });
  });

  it('wait for a change in progress, but not for each other', async () => {
    fixture.dataPlane.health.set(tree.memberId, 'ERROR');
    await inTransaction(fixture.ctx, async (tx) => {
      await takeTree(tx, tree.id);
      await sweep.look(fixture.ctx);
    });
    await fixture.settle();
    await sweep.look(fixture.ctx);
    expect(await statuses()).toEqual(BROKEN);
  });

  it('are not set for a load balancer that another host runs', async () => {
    fixture.dataPlane.health.set(tree.memberId, 'ERROR');
    await addHost('another');
    await fixture.app.dataSource.query(
      `UPDATE load_balancers SET host = 'another', operating_status = 'ONLINE' WHERE id = $1`,
      [tree.id],
    );
    await sweep.look(fixture.ctx);
    expect(await statuses()).toMatchObject({ lb: 'ONLINE' });
  });
});

describe('statistics', () => {
  it('report the traffic that was carried', async () => {
    carry(3, 2);
    await sweep.look(fixture.ctx);
    expect(await statistics()).toEqual(counted(3, 2));
    carry(5, 1);
    await sweep.look(fixture.ctx);
    expect(await statistics()).toEqual(counted(5, 1));
  });

  it('count nothing twice, whoever collects them', async () => {
    carry(3);
    for (const one of [sweep, new StatisticsSweep(fixture.dataPlane, fixture.config)])
      await one.look(fixture.ctx);
    expect(await statistics()).toEqual(counted(3));
  });

  it('never decrease, even if the process has crashed', async () => {
    carry(7);
    await sweep.look(fixture.ctx);
    carry(1);
    await sweep.look(fixture.ctx);
    expect(await statistics()).toEqual(counted(7));
    carry(2);
    await sweep.look(fixture.ctx);
    expect(await statistics()).toEqual(counted(8));
  });

  it('continue on another host', async () => {
    carry(7);
    await sweep.look(fixture.ctx);
    await fixture.app.dataSource.query(
      `UPDATE listener_statistics SET counted = counted || '{"host": "former"}' WHERE listener_id = $1`,
      [tree.listenerId],
    );
    carry(8);
    await sweep.look(fixture.ctx);
    expect(await statistics()).toEqual(counted(15));
  });

  it('are deleted with their listener', async () => {
    carry(7);
    await sweep.look(fixture.ctx);
    await inTransaction(fixture.ctx, (tx) => takeTree(tx, tree.id, 'remove'));
    await fixture.settle();
    expect(await statistics()).toBeUndefined();
  });
});

it('metrics count load balancers by their statuses', async () => {
  await fixture.app.dataSource.query(`DELETE FROM load_balancers WHERE id <> $1`, [tree.id]);
  const text = await fixture.app.metrics.registry.metrics();
  const labels = 'provisioning_status="ACTIVE",operating_status="ONLINE"';
  expect(text).toMatch(new RegExp(`^load_balancers{[^}]*${labels}[^}]*} 1$`, 'm'));
  expect(text).toMatch(/^load_balancer_takeovers_total{.*} \d+$/m);
});
