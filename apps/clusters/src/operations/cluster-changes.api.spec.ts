import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { ClusterTemplateId } from '../cluster-templates/cluster-template.resource.js';
import { ClusterTemplateReferencedError } from '../cluster-templates/cluster-template.errors.js';
import { clusterTemplates } from '../cluster-templates/cluster-template.repository.js';
import { messageOf, startClusters, type ClustersFixture } from '../clusters.fixture.js';
import { clusters } from '../clusters/cluster.repository.js';

let fixture: ClustersFixture;
let template: string;

beforeAll(async () => {
  fixture = await startClusters({ config: { role: 'api', clusterQuota: -1, nodeQuota: 300 } });
  template = await fixture.createTemplate();
});
afterAll(() => fixture.stop());

const made = (fields: object = {}): Promise<string> =>
  fixture.made({ cluster_template_id: template, ...fields });

const patch = (id: string, value: unknown, query = '') =>
  fixture.ask('PATCH', `/v1/clusters/${id}${query}`, [
    { op: 'replace', path: '/node_count', value },
  ]);

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

  it('returns to one if removed, and may be zero', async () => {
    const id = await made({ node_count: 2 });
    const path = `/v1/clusters/${id}`;
    await fixture.ask('PATCH', path, [{ op: 'remove', path: '/node_count' }]);
    expect(await fixture.show(id)).toMatchObject({ node_count: 1 });
    await fixture.work(id);
    await patch(id, 0);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_COMPLETE', node_addresses: [] });
  });

  it('shrinks by the servers that a client names', async () => {
    const id = await made({ node_count: 3 });
    const [, , second] = await fixture.nodesOf(id);
    const nodes_to_remove = [second?.serverId];
    expect((await fixture.resize(id, { node_count: 2, nodes_to_remove })).status).toBe(202);
    await fixture.work(id);
    const left = (await fixture.nodesOf(id)).map(({ name }) => name);
    expect(left).toHaveLength(3);
    expect(left).not.toContain(second?.name);
  });
});

describe('the number of nodes', () => {
  let id: string;
  beforeAll(async () => {
    id = await made();
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
    const answer = await fixture.resize(id, body);
    expect([answer.status, messageOf(answer)]).toEqual([status, expect.stringContaining(words)]);
    expect(await fixture.show(id)).toMatchObject({ status: 'CREATE_COMPLETE', node_count: 1 });
  });
});

describe('a patch', () => {
  let id: string;
  beforeAll(async () => {
    id = await made();
  });

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
    const before = await fixture.show(id);
    const answer = await fixture.ask('PATCH', `/v1/clusters/${id}`, [change]);
    expect([answer.status, messageOf(answer)]).toEqual([400, expect.stringContaining(words)]);
    expect(await fixture.show(id)).toEqual(before);
  });

  it('sets its health without beginning work', async () => {
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
    expect((await fixture.resize(id, { node_count: 3, nodegroup: 'default-master' })).status).toBe(
      202,
    );
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_COMPLETE', master_count: 3 });
    const [founder] = await fixture.nodesOf(id);
    await fixture.resize(id, { node_count: 1, nodegroup: 'default-master' });
    await fixture.work(id);
    const shown = await fixture.show(id);
    expect(shown).toMatchObject({ status: 'UPDATE_COMPLETE', master_count: 1 });
    expect(shown['master_addresses']).toHaveLength(1);
    expect((await fixture.nodesOf(id))[0]).toMatchObject({ name: founder?.name, hasEtcd: true });
  });

  it('without a load balancer are not replaced', async () => {
    const id = await made({ master_lb_enabled: false });
    const [master] = (await fixture.nodesOf(id)).filter(({ role }) => role === 'master');
    const answer = await fixture.resize(id, {
      node_count: 1,
      nodegroup: 'default-master',
      nodes_to_remove: [master?.serverId],
    });
    expect([answer.status, messageOf(answer)]).toEqual([
      409,
      expect.stringContaining('master_lb_enabled'),
    ]);
    expect((await fixture.nodesOf(id)).map(({ fate }) => fate)).toEqual(['wanted', 'wanted']);
    expect(await fixture.show(id)).toMatchObject({ status: 'CREATE_COMPLETE' });
  });

  it('without a load balancer stay one', async () => {
    const id = await made({ master_lb_enabled: false });
    const answer = await fixture.resize(id, { node_count: 3, nodegroup: 'default-master' });
    expect([answer.status, messageOf(answer)]).toEqual([
      400,
      'master_count must be 1 when master_lb_enabled is False',
    ]);
  });
});

it('does not block the refusal to delete its template', async () => {
  // A single cluster, since an unlocked one would reveal it too.
  const own = asId<ClusterTemplateId>(await fixture.createTemplate());
  const id = await made({ cluster_template_id: own });
  await inTransaction(fixture.ctx, async (tx) => {
    await clusters.lock(tx, id);
    const end = inTransaction(fixture.ctx, async (other) => {
      await other.manager.query(`SET LOCAL lock_timeout = '1s'`);
      await clusterTemplates.delete(other, { id: own });
    });
    await expect(end).rejects.toThrow(ClusterTemplateReferencedError);
  });
});
