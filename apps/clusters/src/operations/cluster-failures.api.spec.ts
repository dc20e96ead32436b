/** Failures of clusters, and recovery from them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { createLogger } from '@cumulet/common/observe/logger';
import { runReconciler } from '@cumulet/common/reconcile/run-reconciler';
import { startClusters, type ClustersFixture } from '../clusters.fixture.js';
import type { Node } from '../nodes/node.entity.js';
import { ClusterReconciler } from '../work/cluster.reconciler.js';

const logger = createLogger('test', 'silent');

let fixture: ClustersFixture;
let template: string;

beforeAll(async () => {
  fixture = await startClusters({ config: { role: 'api', clusterQuota: -1, nodeQuota: 300 } });
  template = await fixture.createTemplate();
});
afterAll(() => fixture.stop());
beforeEach(() => fixture.calm());

const create = (fields: object = {}): Promise<string> =>
  fixture.createCluster({ cluster_template_id: template, ...fields });

const made = (fields: object = {}): Promise<string> =>
  fixture.made({ cluster_template_id: template, ...fields });

const patch = (id: string, value: unknown, query = '') =>
  fixture.ask('PATCH', `/v1/clusters/${id}${query}`, [
    { op: 'replace', path: '/node_count', value },
  ]);

/** The newest node of a role. */
const newest = async (id: string, role = 'worker'): Promise<Node> => {
  const node = (await fixture.nodesOf(id)).filter((one) => one.role === role).at(-1);
  if (!node) throw new Error(`cluster ${id} has no ${role}`);
  return node;
};

const FAILED = { phase: 'kubelet', status: 'FAILED', message: 'no swap wanted' } as const;

describe('a failure', () => {
  it("fails the cluster with the node's reason, and only its group", async () => {
    fixture.world.signals.push({ about: ({ role }) => role === 'worker', signal: FAILED });
    const id = await made();
    const { name } = await newest(id);
    const shown = await fixture.show(id);
    expect(shown).toMatchObject({
      status: 'CREATE_FAILED',
      status_reason: expect.stringMatching(`^Node ${name} failed at kubelet \\d+ s ago: no swap`),
      conditions: { control_plane: { status: 'ready' }, nodes: { status: 'failed' } },
    });
    expect(shown['faults']).toEqual({
      'default-worker': expect.stringContaining('no swap wanted'),
    });
  });

  it("fails it with the server's reason", async () => {
    const reason = 'No valid host was found.';
    fixture.world.serverFailures.push({ about: ({ role }) => role === 'master', reason });
    const id = await made();
    const { name } = await newest(id, 'master');
    expect(await fixture.show(id)).toMatchObject({
      status: 'CREATE_FAILED',
      status_reason: `server of node ${name}: ${reason}`,
      conditions: { infrastructure: { status: 'failed' } },
      faults: { 'default-master': expect.stringContaining(reason) },
    });
  });

  it('fails it at the time-out, naming nodes that never reported', async () => {
    fixture.world.signals.push({ about: ({ role }) => role === 'worker', signal: undefined });
    const id = await create({ create_timeout: 5 });
    expect(await fixture.work(id)).toBe('waiting');
    const { name } = await newest(id);
    expect(await fixture.show(id)).toMatchObject({
      status: 'CREATE_IN_PROGRESS',
      status_reason: `Waiting for 1 of 1: ${name} (silent).`,
    });
    await fixture.expire(id);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({
      status: 'CREATE_FAILED',
      status_reason: `Create timed out after 5 minutes: node ${name} has never reported`,
      faults: { 'default-worker': `node ${name} has never reported` },
    });
  });

  it('fails it with the last messages of unready nodes', async () => {
    const signal = { phase: 'images', status: 'IN_PROGRESS', message: 'Unpacking.' } as const;
    fixture.world.signals.push({ about: ({ role }) => role === 'master', signal });
    const id = await create();
    await fixture.work(id);
    await fixture.expire(id);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({
      status_reason: expect.stringMatching(/ was at images \d+ s ago: Unpacking\.$/),
    });
  });

  it('shows what it waits for once another service answers again', async () => {
    fixture.world.signals.push({ about: ({ role }) => role === 'worker', signal: undefined });
    const id = await create();
    await fixture.work(id);
    const waiting = (await fixture.show(id))['status_reason'];
    expect(waiting).toMatch(/^Waiting for 1 of 1/);
    fixture.world.failures.set('observe', [new DomainError('unavailable', 'Busy.')]);
    const reconciler = fixture.app.nest.get(ClusterReconciler);
    await runReconciler(reconciler, fixture.ctx, id, 0, { logger });
    expect((await fixture.show(id))['status_reason']).toBe('Trying again: Busy.');
    await fixture.work(id);
    expect((await fixture.show(id))['status_reason']).toBe(waiting);
  });

  it("fails it with another service's last error if that never recovers", async () => {
    const id = await create();
    const busy = new DomainError('unavailable', 'Identity does not answer.');
    fixture.world.failures.set('observe', Array<DomainError>(3).fill(busy));
    await fixture.expire(id);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({
      status: 'CREATE_FAILED',
      status_reason: 'Create timed out after 60 minutes: Identity does not answer.',
    });
  });

  it('clears the digest before the stack is updated', async () => {
    const id = await made();
    const digest = async (): Promise<unknown> => {
      const [row]: { stack_digest: string | null }[] = await fixture.ctx.manager.query(
        'SELECT stack_digest FROM clusters WHERE id = $1',
        [id],
      );
      return row?.stack_digest;
    };
    expect(await digest()).toEqual(expect.any(String));
    // It may have been done although the answer was lost.
    fixture.world.failures.set('apply', [new DomainError('forbidden', 'No more of these.')]);
    await fixture.resize(id, { node_count: 2 });
    await fixture.work(id);
    expect(await digest()).toBeNull();
  });

  it.each(['apply', 'observe', 'trustee'] as const)(
    'is retried while %s fails, and fails eventually',
    async (call) => {
      const passing = new DomainError('unavailable', 'busy');
      fixture.world.failures.set(call, [passing, passing]);
      expect(await fixture.show(await made())).toMatchObject({ status: 'CREATE_COMPLETE' });
      fixture.world.failures.set(call, [new DomainError('forbidden', 'No more of these.')]);
      expect(await fixture.show(await made())).toMatchObject({
        status: 'CREATE_FAILED',
        status_reason: 'No more of these.',
      });
    },
  );
});

describe('after a failure', () => {
  it('of its creation, a change replaces failed nodes', async () => {
    fixture.world.signals.push({ about: () => true, signal: FAILED });
    const id = await made();
    const before = (await fixture.nodesOf(id)).map(({ name }) => name);
    fixture.world.signals.length = 0;
    expect((await fixture.resize(id, { node_count: 1 })).status).toBe(202);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({
      status: 'UPDATE_COMPLETE',
      status_reason: null,
    });
    const after = (await fixture.nodesOf(id)).map(({ name }) => name);
    expect(after.filter((name) => before.includes(name))).toEqual([]);
  });

  it('of its only master without a load balancer, workers are replaced too', async () => {
    const lost = await fixture.createTemplate({ master_lb_enabled: false });
    const signal = { phase: 'images', status: 'IN_PROGRESS', message: 'Unpacking.' } as const;
    fixture.world.signals.push(
      { about: ({ role }) => role === 'master', signal: FAILED },
      { about: () => true, signal },
    );
    const id = await fixture.made({ cluster_template_id: lost, node_count: 2 });
    expect(await fixture.show(id)).toMatchObject({ status: 'CREATE_FAILED' });
    const before = (await fixture.nodesOf(id)).map(({ name }) => name);
    fixture.calm();
    await fixture.resize(id, { node_count: 2 });
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_COMPLETE' });
    const after = (await fixture.nodesOf(id)).map(({ name }) => name);
    expect(after).toHaveLength(3);
    expect(after.filter((name) => before.includes(name))).toEqual([]);
  });

  it('of another node, a named one is still removed', async () => {
    const id = await made({ node_count: 2 });
    const [named, other] = (await fixture.nodesOf(id)).filter(({ role }) => role === 'worker');
    await fixture.ctx.manager.query(`UPDATE nodes SET status = 'FAILED' WHERE id = $1`, [
      other?.id,
    ]);
    fixture.world.signals.push({ about: ({ id: node }) => node === other?.id, signal: undefined });
    await fixture.resize(id, { node_count: 1, nodes_to_remove: [named?.serverId] });
    await fixture.work(id);
    const left = (await fixture.nodesOf(id)).filter(({ role }) => role === 'worker');
    expect(left.map(({ name }) => name)).toEqual([other?.name]);
  });

  it('a failed node may be named for removal', async () => {
    const id = await made();
    fixture.world.signals.push({ about: ({ status }) => status === 'SILENT', signal: FAILED });
    await fixture.resize(id, { node_count: 2 });
    await fixture.work(id);
    const failed = await newest(id);
    expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_FAILED' });
    fixture.world.signals.length = 0;
    const body = { node_count: 1, nodes_to_remove: [failed.serverId] };
    expect((await fixture.resize(id, body)).status).toBe(202);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_COMPLETE', node_count: 1 });
    expect((await fixture.nodesOf(id)).map(({ name }) => name)).not.toContain(failed.name);
  });

  it('the only master with etcd is kept', async () => {
    const id = await made();
    const master = await newest(id, 'master');
    const signal = { ...FAILED, phase: 'etcd' };
    fixture.world.signals.push({ about: (node) => node.id === master.id, signal });
    await fixture.ctx.manager.query(`UPDATE nodes SET status = 'SILENT' WHERE id = $1`, [
      master.id,
    ]);
    await fixture.resize(id, { node_count: 2 });
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_FAILED' });
    await fixture.resize(id, { node_count: 2 });
    expect(await newest(id, 'master')).toMatchObject({ id: master.id, fate: 'wanted' });
  });

  it('with rollback, it has its former number of workers', async () => {
    const id = await made();
    const before = (await fixture.nodesOf(id)).map(({ name }) => name);
    fixture.world.signals.push({ about: ({ status }) => status === 'SILENT', signal: FAILED });
    expect((await patch(id, 4, '?rollback=True')).status).toBe(202);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({
      status: 'ROLLBACK_COMPLETE',
      status_reason: expect.stringMatching(/^Rolled back: Node .* failed at /),
      node_count: 1,
    });
    expect((await fixture.nodesOf(id)).map(({ name }) => name)).toEqual(before);
  });

  it('of a rollback, both reasons are shown', async () => {
    const id = await made();
    fixture.world.signals.push({ about: ({ status }) => status === 'SILENT', signal: FAILED });
    await patch(id, 2, '?rollback=True');
    const error = new DomainError('forbidden', 'No more of these.');
    fixture.world.failures.set('apply', [undefined, error]);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({
      status: 'ROLLBACK_FAILED',
      status_reason: expect.stringMatching(
        /^No more of these\. This was to take back a change that had failed: Node /,
      ),
    });
  });

  it('of another change, earlier changes are not rolled back', async () => {
    const id = await made();
    fixture.world.signals.push({ about: ({ status }) => status === 'SILENT', signal: FAILED });
    await patch(id, 2, '?rollback=True');
    await fixture.resize(id, { node_count: 3 });
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_FAILED', node_count: 3 });
  });
});
