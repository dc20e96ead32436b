/** The states that allow changes, and deletion. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { createLogger } from '@cumulet/common/observe/logger';
import { runReconciler } from '@cumulet/common/reconcile/run-reconciler';
import { startClusters, type ClustersFixture } from '../clusters.fixture.js';
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

const STATES = ['create', 'update', 'rollback'].flatMap((action) =>
  ['in_progress', 'complete', 'failed'].map((how) => `${action}_${how}`),
);

const DELETING = ['delete_in_progress', 'delete_failed'];

const resizing = (id: string) => fixture.resize(id, { node_count: 1 });
const updating = (id: string) =>
  fixture.ask('PATCH', `/v1/clusters/${id}`, [{ op: 'replace', path: '/node_count', value: 1 }]);

async function put(id: string, state: string): Promise<void> {
  await fixture.ctx.manager.query('UPDATE clusters SET state = $2 WHERE id = $1', [id, state]);
}

describe('in every state', () => {
  it.each([
    ['Resizing', ['create_in_progress', 'rollback_in_progress', ...DELETING], resizing],
    ['Updating', [...STATES.filter((one) => one.endsWith('in_progress')), ...DELETING], updating],
  ])('%s a cluster is refused as Magnum does, or done', async (doing, refused, ask) => {
    const id = await made();
    for (const state of [...STATES, ...DELETING]) {
      await put(id, state);
      const { status, text } = await ask(id);
      expect([state, status]).toEqual([state, refused.includes(state) ? 400 : 202]);
      if (status === 400)
        expect(text).toContain(
          `${doing} a cluster when status is \\"${state.toUpperCase()}\\" is not supported.`,
        );
    }
  });

  it('a cluster may be deleted, and again', async () => {
    const id = await made();
    for (const state of [...STATES, ...DELETING]) {
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
  it('deletes an incomplete cluster, with its trusts', async () => {
    const before = fixture.trusts.given.size;
    fixture.world.signals.push({ about: () => true, signal: undefined });
    const id = await create();
    await fixture.work(id);
    await fixture.resize(id, { node_count: 2 });
    await fixture.ask('DELETE', `/v1/clusters/${id}`);
    await fixture.work(id);
    expect((await fixture.ask('GET', `/v1/clusters/${id}`)).status).toBe(404);
    expect(fixture.trusts.given.size).toBe(before);
  });

  it("fails with the stack's reason, and continues when repeated", async () => {
    const id = await made();
    fixture.world.stuck.set(id, 'The network is in use.');
    await fixture.ask('DELETE', `/v1/clusters/${id}`);
    await fixture.work(id);
    expect(await fixture.show(id)).toMatchObject({
      status: 'DELETE_FAILED',
      status_reason: 'The network is in use.',
    });
    const groups = await fixture.ask('GET', `/v1/clusters/${id}/nodegroups/default-worker`);
    expect(groups.body).toMatchObject({
      status: 'DELETE_FAILED',
      status_reason: 'The network is in use.',
    });
    fixture.world.stuck.clear();
    await fixture.ask('DELETE', `/v1/clusters/${id}`);
    await fixture.work(id);
    expect((await fixture.ask('GET', `/v1/clusters/${id}`)).status).toBe(404);
  });

  it('repeats the deletion of a stack that has begun something else', async () => {
    const id = await made();
    await fixture.ask('DELETE', `/v1/clusters/${id}`);
    await runReconciler(fixture.app.nest.get(ClusterReconciler), fixture.ctx, id, 0, { logger });
    fixture.world.removed.delete(id);
    await fixture.work(id);
    expect((await fixture.ask('GET', `/v1/clusters/${id}`)).status).toBe(404);
  });

  it.each(['remove', 'removeLeftovers', 'removeTrustee'] as const)(
    'resumes after %s has failed',
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
