import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { startClusters, type ClustersFixture } from '../clusters.fixture.js';
import type { ClusterId } from '../clusters/cluster.resource.js';
import { clusters } from '../clusters/cluster.repository.js';
import type { Node } from '../nodes/node.entity.js';
import { Healing } from './healing.js';
import { HealthSweep } from './health.sweep.js';

let fixture: ClustersFixture;

beforeAll(async () => {
  fixture = await startClusters({ config: { role: 'api', clusterQuota: -1 } });
});
afterAll(() => fixture.stop());
beforeEach(() => fixture.world.lost.clear());

const HEALED = { auto_healing_enabled: 'true' };

async function made(fields: object = {}): Promise<string> {
  const id = await fixture.createCluster(fields);
  await fixture.work(id);
  return id;
}

async function look(stopping?: AbortSignal): Promise<void> {
  await fixture.ctx.manager.query('UPDATE clusters SET health_checked_at = NULL');
  await fixture.app.nest.get(HealthSweep).look(fixture.ctx, stopping);
}

/** As if its server had been gone for a while. */
async function lose(node: Node | undefined): Promise<string> {
  if (!node) throw new Error('there is no such node');
  fixture.world.lost.add(node.name);
  await fixture.ctx.manager.query(
    `UPDATE nodes SET heard_at = now() - interval '1 hour' WHERE id = $1`,
    [node.id],
  );
  return node.name;
}

/** The two checks that precede a replacement. */
async function lookTwice(): Promise<void> {
  await look();
  await look();
}

const workerOf = async (id: string): Promise<Node | undefined> =>
  (await fixture.nodesOf(id)).find(({ role }) => role === 'worker');

it('a cluster is healthy while all its nodes are', async () => {
  const id = await made();
  await look();
  const { health_status: status, health_status_reason: reason } = await fixture.show(id);
  expect([status, reason]).toMatchObject(['HEALTHY', { api: 'ok' }]);
});

it('all due clusters are checked in one run', async () => {
  const ids = await Promise.all(Array.from({ length: 9 }, () => made()));
  await look();
  const seen = await Promise.all(ids.map((id) => fixture.show(id)));
  expect(seen.map(({ health_status: status }) => status)).toEqual(Array(9).fill('HEALTHY'));
});

it('none is checked during shutdown, or before its time', async () => {
  const id = await made();
  await look(AbortSignal.abort());
  expect(await fixture.show(id)).toMatchObject({ health_status: null });
  await look();
  const rows = () =>
    fixture.ctx.manager.query('SELECT id, health_checked_at FROM clusters ORDER BY id');
  const before: unknown = await rows();
  await fixture.app.nest.get(HealthSweep).look(fixture.ctx);
  expect(await rows()).toEqual(before);
});

it('a lost node only makes the cluster unhealthy without the label', async () => {
  const id = await made();
  const name = await lose(await workerOf(id));
  await look();
  expect(await fixture.show(id)).toMatchObject({
    status: 'CREATE_COMPLETE',
    health_status: 'UNHEALTHY',
    health_status_reason: {
      [`${name}.Ready`]: 'Unknown',
      [`${name}.Report`]: expect.stringContaining('Silent since'),
    },
  });
});

it('a lost node is replaced with the label', async () => {
  const id = await made({ labels: HEALED });
  const name = await lose(await workerOf(id));
  await lookTwice();
  expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_IN_PROGRESS' });
  await fixture.work(id);
  expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_COMPLETE', node_count: 1 });
  expect((await workerOf(id))?.name).not.toBe(name);
  await look();
  expect(await fixture.show(id)).toMatchObject({ health_status: 'HEALTHY' });
});

it('a silent node whose server runs is left alone', async () => {
  const id = await made({ labels: HEALED });
  await lose(await workerOf(id));
  fixture.world.lost.clear();
  await lookTwice();
  expect(await fixture.show(id)).toMatchObject({
    status: 'CREATE_COMPLETE',
    health_status: 'UNHEALTHY',
  });
});

it('a node is lost only after two successive checks of its server', async () => {
  const id = await made({ labels: HEALED });
  const worker = await workerOf(id);
  await lose(worker);
  await look();
  fixture.world.lost.clear();
  await look();
  await lose(worker);
  await look();
  expect(await fixture.show(id)).toMatchObject({ status: 'CREATE_COMPLETE' });
  await look();
  expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_IN_PROGRESS' });
});

it('a node that reports between two checks is not lost', async () => {
  const id = await made({ labels: HEALED });
  await lose(await workerOf(id));
  await look();
  await fixture.ctx.manager.query(
    `UPDATE nodes SET lost_since = lost_since - interval '1 hour', heard_at = heard_at + interval '30 minutes'
      WHERE cluster_id = $1 AND role = 'worker'`,
    [id],
  );
  await look();
  expect(await fixture.show(id)).toMatchObject({ status: 'CREATE_COMPLETE' });
});

it('a node that reports during a check is left alone', async () => {
  const id = await made({ labels: HEALED });
  await lose(await workerOf(id));
  await look();
  const [cluster, before] = await Promise.all([
    clusters.get(fixture.ctx, id as ClusterId),
    fixture.nodesOf(id),
  ]);
  await fixture.ctx.manager.query('UPDATE nodes SET heard_at = now() WHERE cluster_id = $1', [id]);
  await fixture.app.nest.get(Healing).heal(fixture.ctx, cluster, before);
  expect(await fixture.show(id)).toMatchObject({ status: 'CREATE_COMPLETE' });
  expect(await workerOf(id)).toMatchObject({ fate: 'wanted' });
});

it('two lost masters of three are left alone, even if lost one after the other', async () => {
  const id = await made({ labels: HEALED, master_count: 3 });
  const [, second, third] = await fixture.nodesOf(id);
  await lose(second);
  await look();
  await lose(third);
  await look();
  expect(await fixture.show(id)).toMatchObject({ status: 'CREATE_COMPLETE' });
});

it('the only master is never replaced, since etcd would be lost', async () => {
  const id = await made({ labels: HEALED });
  await lose((await fixture.nodesOf(id)).find(({ role }) => role === 'master'));
  await lookTwice();
  expect(await fixture.show(id)).toMatchObject({ status: 'CREATE_COMPLETE' });
});

it('one of three masters is replaced, once the others have removed it from etcd', async () => {
  const id = await made({ labels: HEALED, master_count: 3 });
  const name = await lose((await fixture.nodesOf(id))[1]);
  await lookTwice();
  const [going] = (await fixture.nodesOf(id)).filter(({ fate }) => fate === 'parting');
  expect(going?.name).toBe(name);
  await fixture.work(id);
  const masters = (await fixture.nodesOf(id)).filter(({ role }) => role === 'master');
  expect(masters.map(({ fate, hasEtcd }) => `${fate} ${String(hasEtcd)}`)).toEqual(
    Array(3).fill('wanted true'),
  );
  expect(masters.map((node) => node.name)).not.toContain(name);
});

it('clusters being created or deleted are not checked', async () => {
  const [making, deleting] = [await fixture.createCluster(), await made()];
  await fixture.ask('DELETE', `/v1/clusters/${deleting}`);
  await look();
  for (const id of [making, deleting])
    expect(await fixture.show(id)).toMatchObject({ health_status: null });
});
