/** What becomes of a cluster by changes, by what goes wrong meanwhile, and when it is deleted. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startClusters, type ClustersFixture } from '../clusters.fixture.js';
import type { Node } from '../nodes/node.entity.js';

let fixture: ClustersFixture;
let template: string;

beforeAll(async () => {
  fixture = await startClusters({ config: { role: 'api', clusterQuota: -1, nodeQuota: 300 } });
  template = await fixture.createTemplate();
});
afterAll(() => fixture.stop());
beforeEach(() => {
  const { signals, serverFailures, failures } = fixture.world;
  signals.length = 0;
  serverFailures.length = 0;
  failures.clear();
});

const create = (fields: object = {}): Promise<string> =>
  fixture.createCluster({ cluster_template_id: template, ...fields });

async function made(fields: object = {}): Promise<string> {
  const id = await create(fields);
  await fixture.work(id);
  return id;
}

const resize = (id: string, body: object): Promise<TestResponse> =>
  fixture.ask('POST', `/v1/clusters/${id}/actions/resize`, body);

const patch = (id: string, value: unknown, query = '', token = fixture.token) =>
  fixture.ask(
    'PATCH',
    `/v1/clusters/${id}${query}`,
    [{ op: 'replace', path: '/node_count', value }],
    { token },
  );

const messageOf = ({ body }: TestResponse): string | undefined =>
  (body as { errors?: { detail: string }[] }).errors?.[0]?.detail;

/** The newest node of a role. */
const newest = async (id: string, role = 'worker'): Promise<Node> => {
  const node = (await fixture.nodesOf(id)).filter((one) => one.role === role).at(-1);
  if (!node) throw new Error(`cluster ${id} has no ${role}`);
  return node;
};

const FAILED = { phase: 'kubelet', status: 'FAILED', message: 'no swap wanted' } as const;

describe('the number of workers', () => {
  it('is patched', async () => {
    const id = await made();
    expect((await patch(id, '3')).body).toEqual({ uuid: id });
    expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_IN_PROGRESS', node_count: 3 });
    await fixture.work(id);
    const after = await fixture.show(id);
    expect(after).toMatchObject({ status: 'UPDATE_COMPLETE', node_count: 3 });
    expect(after['node_addresses']).toHaveLength(3);
  });

  it('is one again where it is removed, and none where that is asked for', async () => {
    const id = await made({ node_count: 2 });
    const path = `/v1/clusters/${id}`;
    await fixture.ask('PATCH', path, [{ op: 'remove', path: '/node_count' }]);
    expect(await fixture.show(id)).toMatchObject({ node_count: 1 });
    await patch(id, 0);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_COMPLETE', node_addresses: [] });
  });

  it('gets smaller by the servers that a client names', async () => {
    const id = await made({ node_count: 3 });
    const [, , second] = await fixture.nodesOf(id);
    const nodes_to_remove = [second?.serverId];
    expect((await resize(id, { node_count: 2, nodes_to_remove })).status).toBe(202);
    await fixture.work(id);
    const left = (await fixture.nodesOf(id)).map(({ name }) => name);
    expect(left).toHaveLength(3);
    expect(left).not.toContain(second?.name);
  });

  it.each<[string, object, number, string]>([
    ['a negative number', { node_count: -1 }, 400, 'node_count'],
    ['no number', {}, 400, 'node_count'],
    ['half a node', { node_count: 1.5 }, 400, 'node_count'],
    ['a server of nobody', { node_count: 1, nodes_to_remove: ['x'] }, 400, 'names x, which is no'],
    ['a group of nobody', { node_count: 1, nodegroup: 'none' }, 404, 'Nodegroup none'],
    ['an even number of masters', { node_count: 2, nodegroup: 'default-master' }, 400, 'even'],
    ['no master', { node_count: 0, nodegroup: 'default-master' }, 400, 'even'],
    ['more than the quota', { node_count: 900 }, 403, 'Quota exceeded for Node'],
    ['more than there may be', { node_count: 1_001 }, 400, 'node_count'],
  ])('is not %s, and nothing begins', async (_, body, status, words) => {
    const id = await made();
    const answer = await resize(id, body);
    expect([answer.status, messageOf(answer)]).toEqual([status, expect.stringContaining(words)]);
    expect(await fixture.show(id)).toMatchObject({ status: 'CREATE_COMPLETE', node_count: 1 });
    await fixture.ask('DELETE', `/v1/clusters/${id}`);
    await fixture.work(id);
  });
});

describe('a patch', () => {
  it.each<[string, object, string]>([
    ['name', { op: 'replace', path: '/name', value: 'x' }, 'property(ies) name.'],
    ['labels', { op: 'add', path: '/labels/a', value: 'x' }, 'property(ies) labels.'],
    ['masters', { op: 'replace', path: '/master_count', value: 3 }, 'master_count.'],
    ['state', { op: 'replace', path: '/status', value: 'CREATE_COMPLETE' }, 'status.'],
    ['address', { op: 'replace', path: '/api_address', value: 'x' }, 'internal attribute'],
    ['stack', { op: 'replace', path: '/stack_id', value: 'x' }, 'internal attribute'],
    ['count in words', { op: 'replace', path: '/node_count', value: 'many' }, '"many"'],
    ['count below nothing', { op: 'replace', path: '/node_count', value: -1 }, '-1'],
    ['health in words', { op: 'replace', path: '/health_status', value: 'FINE' }, 'HEALTHY'],
  ])('cannot change its %s', async (_, change, words) => {
    const id = await create();
    const before = await fixture.show(id);
    const answer = await fixture.ask('PATCH', `/v1/clusters/${id}`, [change]);
    expect([answer.status, messageOf(answer)]).toEqual([400, expect.stringContaining(words)]);
    expect(await fixture.show(id)).toEqual(before);
    await fixture.ask('DELETE', `/v1/clusters/${id}`);
    await fixture.work(id);
  });

  it('tells how healthy it is, and begins nothing', async () => {
    const id = await made();
    const reason = "{'api': 'ok', 'web.Ready': 'True'}";
    const answer = await fixture.ask('PATCH', `/v1/clusters/${id}`, [
      { op: 'replace', path: '/health_status', value: 'HEALTHY' },
      { op: 'replace', path: '/health_status_reason', value: reason },
    ]);
    expect(answer.status).toBe(202);
    expect(await fixture.show(id)).toMatchObject({
      status: 'CREATE_COMPLETE',
      health_status: 'HEALTHY',
      health_status_reason: { api: 'ok', 'web.Ready': 'True' },
    });
  });
});

describe('masters', () => {
  it('become three and one again, by way of etcd', async () => {
    const id = await made();
    expect((await resize(id, { node_count: 3, nodegroup: 'default-master' })).status).toBe(202);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_COMPLETE', master_count: 3 });
    const [founder] = await fixture.nodesOf(id);
    await resize(id, { node_count: 1, nodegroup: 'default-master' });
    await fixture.work(id);
    const shown = await fixture.show(id);
    expect(shown).toMatchObject({ status: 'UPDATE_COMPLETE', master_count: 1 });
    expect(shown['master_addresses']).toHaveLength(1);
    expect((await fixture.nodesOf(id))[0]).toMatchObject({ name: founder?.name, hasEtcd: true });
  });

  it('without a load balancer stay one', async () => {
    const id = await made({ master_lb_enabled: false });
    const answer = await resize(id, { node_count: 3, nodegroup: 'default-master' });
    expect([answer.status, messageOf(answer)]).toEqual([
      400,
      'master_count must be 1 when master_lb_enabled is False',
    ]);
  });
});

describe('what cannot be made', () => {
  it('fails the cluster with the reason of the node, and its group alone', async () => {
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

  it('fails it with the reason of the server', async () => {
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

  it('fails it once its time is out, with who has never spoken', async () => {
    fixture.world.signals.push({ about: ({ role }) => role === 'worker', signal: undefined });
    const id = await create({ create_timeout: 5 });
    expect(await fixture.work(id)).toBe('waiting');
    const { name } = await newest(id);
    expect(await fixture.show(id)).toMatchObject({
      status: 'CREATE_IN_PROGRESS',
      status_reason: `Waiting for 1 of 1: ${name} (silent).`,
    });
    await fixture.outOfTime(id);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({
      status: 'CREATE_FAILED',
      status_reason: `Create timed out after 5 minutes: node ${name} has never said anything`,
      faults: { 'default-worker': `node ${name} has never said anything` },
    });
  });

  it('fails it with the last words of who was not ready', async () => {
    const signal = { phase: 'images', status: 'IN_PROGRESS', message: 'Unpacking.' } as const;
    fixture.world.signals.push({ about: ({ role }) => role === 'master', signal });
    const id = await create();
    await fixture.work(id);
    await fixture.outOfTime(id);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({
      status_reason: expect.stringMatching(/ was at images \d+ s ago: Unpacking\.$/),
    });
  });

  it.each(['apply', 'observe', 'trustee'] as const)(
    'is tried again where %s fails for a while, and fails for good',
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
  it('of its making, a change makes other nodes in the place of those that failed', async () => {
    fixture.world.signals.push({ about: () => true, signal: FAILED });
    const id = await made();
    const before = (await fixture.nodesOf(id)).map(({ name }) => name);
    fixture.world.signals.length = 0;
    expect((await resize(id, { node_count: 1 })).status).toBe(202);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({
      status: 'UPDATE_COMPLETE',
      status_reason: null,
    });
    const after = (await fixture.nodesOf(id)).map(({ name }) => name);
    expect(after.filter((name) => before.includes(name))).toEqual([]);
  });

  it('a node that has failed may be named as the one that goes', async () => {
    const id = await made();
    fixture.world.signals.push({ about: ({ status }) => status === 'SILENT', signal: FAILED });
    await resize(id, { node_count: 2 });
    await fixture.work(id);
    const failed = await newest(id);
    expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_FAILED' });
    fixture.world.signals.length = 0;
    const body = { node_count: 1, nodes_to_remove: [failed.serverId] };
    expect((await resize(id, body)).status).toBe(202);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_COMPLETE', node_count: 1 });
    expect((await fixture.nodesOf(id)).map(({ name }) => name)).not.toContain(failed.name);
  });

  it('the one master that has what etcd holds is kept', async () => {
    const id = await made();
    const master = await newest(id, 'master');
    const signal = { ...FAILED, phase: 'etcd' };
    fixture.world.signals.push({ about: (node) => node.id === master.id, signal });
    await fixture.ctx.manager.query(`UPDATE nodes SET status = 'SILENT' WHERE id = $1`, [
      master.id,
    ]);
    await resize(id, { node_count: 2 });
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_FAILED' });
    await resize(id, { node_count: 2 });
    expect(await newest(id, 'master')).toMatchObject({ id: master.id, fate: 'wanted' });
  });

  it('with rollback, it has as many workers again as before', async () => {
    const id = await made();
    const before = (await fixture.nodesOf(id)).map(({ name }) => name);
    fixture.world.signals.push({ about: ({ status }) => status === 'SILENT', signal: FAILED });
    expect((await patch(id, 4, '?rollback=True')).status).toBe(202);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({ status: 'ROLLBACK_COMPLETE', node_count: 1 });
    expect((await fixture.nodesOf(id)).map(({ name }) => name)).toEqual(before);
  });

  it('of another change, nothing is rolled back that was asked for before', async () => {
    const id = await made();
    fixture.world.signals.push({ about: ({ status }) => status === 'SILENT', signal: FAILED });
    await patch(id, 2, '?rollback=True');
    await resize(id, { node_count: 3 });
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_FAILED', node_count: 3 });
  });
});

const STATES = ['create', 'update', 'rollback'].flatMap((action) =>
  ['in_progress', 'complete', 'failed'].map((how) => `${action}_${how}`),
);

async function put(id: string, state: string): Promise<void> {
  await fixture.ctx.manager.query('UPDATE clusters SET state = $2 WHERE id = $1', [id, state]);
}

describe('in every state', () => {
  it('a cluster may be changed, unless it is being deleted', async () => {
    const id = await made();
    for (const state of STATES) {
      await put(id, state);
      expect([state, (await resize(id, { node_count: 1 })).status]).toEqual([state, 202]);
    }
    for (const state of ['delete_in_progress', 'delete_failed']) {
      await put(id, state);
      expect([state, (await resize(id, { node_count: 1 })).status]).toEqual([state, 409]);
    }
  });

  it('a cluster may be deleted, again too', async () => {
    const id = await made();
    for (const state of [...STATES, 'delete_in_progress', 'delete_failed']) {
      await put(id, state);
      const { status } = await fixture.ask('DELETE', `/v1/clusters/${id}`);
      expect([state, status]).toEqual([state, 204]);
      expect(await fixture.show(id)).toMatchObject({ status: 'DELETE_IN_PROGRESS' });
    }
    await fixture.work(id);
    expect((await fixture.ask('GET', `/v1/clusters/${id}`)).status).toBe(404);
  });
});

describe('deleting', () => {
  it('takes a cluster that is half made, with its trusts', async () => {
    const before = fixture.trusts.given.size;
    fixture.world.signals.push({ about: () => true, signal: undefined });
    const id = await create();
    await fixture.work(id);
    await resize(id, { node_count: 2 });
    await fixture.ask('DELETE', `/v1/clusters/${id}`);
    await fixture.work(id);
    expect((await fixture.ask('GET', `/v1/clusters/${id}`)).status).toBe(404);
    expect(fixture.trusts.given.size).toBe(before);
  });

  it.each(['remove', 'removeLeftovers', 'removeTrustee'] as const)(
    'goes on where it was, if %s has failed',
    async (call) => {
      const id = await made();
      fixture.world.failures.set(call, [new DomainError('forbidden', 'It is locked.')]);
      await fixture.ask('DELETE', `/v1/clusters/${id}`);
      await fixture.work(id);
      expect(await fixture.show(id)).toMatchObject({
        status: 'DELETE_FAILED',
        status_reason: 'It is locked.',
      });
      await fixture.ask('DELETE', `/v1/clusters/${id}`);
      await fixture.work(id);
      expect((await fixture.ask('GET', `/v1/clusters/${id}`)).status).toBe(404);
    },
  );
});
