import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { type ClustersFixture, messageOf, startClusters } from '../clusters.fixture.js';
import { runReconciler } from '@cumulet/common/reconcile/run-reconciler';
import { createLogger } from '@cumulet/common/observe/logger';
import { ClusterReconciler } from '../work/cluster.reconciler.js';

let fixture: ClustersFixture;
const templates = new Map<string, string>();

beforeAll(async () => {
  fixture = await startClusters({ config: { role: 'api' } });
  for (const version of ['1.34', '1.35', '1.36'])
    templates.set(version, await fixture.createTemplate({ image_id: `node-${version}` }));
});
afterAll(() => fixture.stop());

async function made(fields: object = {}): Promise<string> {
  const id = await fixture.createCluster({ cluster_template_id: templates.get('1.35'), ...fields });
  await fixture.work(id);
  return id;
}

const upgrade = (id: string, version: string, fields: object = {}): Promise<TestResponse> =>
  fixture.ask('POST', `/v1/clusters/${id}/actions/upgrade`, {
    cluster_template: templates.get(version) ?? version,
    max_batch_size: 1,
    ...fields,
  });

it('replaces all nodes, masters first, one at a time', async () => {
  const id = await made({ master_count: 3, node_count: 2, labels: { kube_tag: 'v1.35.4' } });
  const before = (await fixture.nodesOf(id)).map((node) => node.id);
  expect((await upgrade(id, '1.36')).body).toEqual({ uuid: id });
  const reconciler = fixture.app.nest.get(ClusterReconciler);
  const logger = createLogger('test', 'silent');
  const gone: string[] = [];
  for (let step = 0; step < 40; step += 1) {
    const outcome = await runReconciler(reconciler, fixture.ctx, id, 0, { logger });
    const all = await fixture.nodesOf(id);
    const ready = (role: string): number =>
      all.filter((node) => node.role === role && node.status === 'READY').length;
    // The node counts never drop.
    expect(ready('master')).toBeGreaterThanOrEqual(3);
    expect(ready('worker')).toBeGreaterThanOrEqual(2);
    expect(all.length).toBeLessThanOrEqual(6);
    const missing = before.filter((one) => !all.some((node) => node.id === one));
    for (const one of missing) if (!gone.includes(one)) gone.push(one);
    if (outcome === 'done') break;
  }
  expect(gone).toHaveLength(5);
  expect(new Set(gone.slice(0, 3))).toEqual(new Set(before.slice(0, 3)));
  expect(await fixture.show(id)).toMatchObject({
    status: 'UPDATE_COMPLETE',
    cluster_template_id: templates.get('1.36'),
    labels: { kube_tag: 'v1.36.1' },
    master_count: 3,
    node_count: 2,
  });
  const groups = await fixture.ask('GET', `/v1/clusters/${id}/nodegroups/default-worker`);
  expect(groups.body).toMatchObject({ image_id: 'node-1.36', version: 'v1.36.1' });
});

it('does not replace nodes that have the image already', async () => {
  const id = await made();
  const before = (await fixture.nodesOf(id)).map((node) => node.id);
  expect((await upgrade(id, '1.35')).status).toBe(202);
  await fixture.work(id);
  expect((await fixture.nodesOf(id)).map((node) => node.id)).toEqual(before);
});

it.each<[string, string, object, number, string]>([
  ['back', '1.34', {}, 409, 'does not go back'],
  ['to a template that there is not', 'none', {}, 404, 'ClusterTemplate none'],
  ['of a group that there is not', '1.36', { nodegroup: 'none' }, 404, 'Nodegroup none'],
  ['of workers alone', '1.36', { nodegroup: 'default-worker' }, 409, 'are newer than masters of'],
  ['of no node at a time', '1.36', { max_batch_size: 0 }, 400, 'max_batch_size'],
])('is refused %s', async (_, version, fields, status, words) => {
  const id = await made();
  const answer = await upgrade(id, version, fields);
  expect([answer.status, messageOf(answer)]).toEqual([status, expect.stringContaining(words)]);
  expect(await fixture.show(id)).toMatchObject({
    status: 'CREATE_COMPLETE',
    cluster_template_id: templates.get('1.35'),
  });
});

it('is refused across more than one minor version', async () => {
  const id = await made({ cluster_template_id: templates.get('1.34') });
  const answer = await upgrade(id, '1.36');
  expect([answer.status, messageOf(answer)]).toEqual([
    409,
    'Cluster Template is not valid for upgrade: ' +
      'Kubernetes can be upgraded from v1.34.4 by one minor version at most, not to v1.36.1.',
  ]);
});

it('is refused without a stable API address', async () => {
  const id = await made({ master_lb_enabled: false });
  const answer = await upgrade(id, '1.36');
  expect([answer.status, messageOf(answer)]).toEqual([
    409,
    expect.stringContaining('master_lb_enabled'),
  ]);
});

it('has the full time for each replaced node', async () => {
  const id = await made({ node_count: 2 });
  await upgrade(id, '1.36');
  await fixture.ctx.manager.query(
    `UPDATE clusters SET timeout_at = now() + interval '5 minutes' WHERE id = $1`,
    [id],
  );
  await fixture.work(id);
  expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_COMPLETE' });
  const [row]: { left: boolean }[] = await fixture.ctx.manager.query(
    `SELECT timeout_at > now() + interval '30 minutes' AS left FROM clusters WHERE id = $1`,
    [id],
  );
  expect(row).toEqual({ left: true });
});

it('is refused during other work', async () => {
  const id = await fixture.createCluster({ cluster_template_id: templates.get('1.35') });
  const answer = await upgrade(id, '1.36');
  expect([answer.status, messageOf(answer)]).toEqual([
    400,
    'Upgrading a cluster when status is "CREATE_IN_PROGRESS" is not supported.',
  ]);
});

it('that fails continues with new nodes when repeated', async () => {
  const id = await made();
  fixture.world.signals.push({
    about: ({ status }) => status === 'SILENT',
    signal: { phase: 'etcd', status: 'FAILED', message: 'no leader' },
  });
  await upgrade(id, '1.36');
  await fixture.work(id);
  expect(await fixture.show(id)).toMatchObject({
    status: 'UPDATE_FAILED',
    status_reason: expect.stringContaining('no leader'),
  });
  fixture.world.signals.length = 0;
  expect((await upgrade(id, '1.36')).status).toBe(202);
  await fixture.work(id);
  expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_COMPLETE' });
  expect((await fixture.nodesOf(id)).map(({ fate, role }) => `${fate} ${role}`).sort()).toEqual([
    'wanted master',
    'wanted worker',
  ]);
});
