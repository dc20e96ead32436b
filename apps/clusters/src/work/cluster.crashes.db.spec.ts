/** The suite of all reconcilers, on clusters. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { reconcilerSuite, type ReconcilerCase } from '@cumulet/testing/reconciler-suite';
import { startClusters, type ClustersFixture } from '../clusters.fixture.js';
import type { Cluster } from '../clusters/cluster.entity.js';
import { ClusterReconciler } from './cluster.reconciler.js';
import type { ClusterEvent, ClusterState } from '../clusters/cluster.states.js';
import { clusters } from '../clusters/cluster.repository.js';

let fixture: ClustersFixture;
let template: string;

beforeAll(async () => {
  // Only the suite runs work.
  fixture = await startClusters({ config: { role: 'api', clusterQuota: -1, nodeQuota: -1 } });
  template = await fixture.createTemplate();
});
afterAll(() => fixture.stop());

type Case = ReconcilerCase<Cluster, ClusterState, ClusterEvent>;

const create = (): Promise<string> =>
  fixture.createCluster({
    cluster_template_id: template,
    name: `c-${randomUUID()}`,
    node_count: 1,
  });

async function made(): Promise<string> {
  const id = await create();
  await fixture.work(id);
  return id;
}

async function resized(id: string): Promise<void> {
  const path = `/v1/clusters/${id}/actions/resize`;
  expect((await fixture.ask('POST', path, { node_count: 2 })).status).toBe(202);
}

const converging = [
  'ensureSecrets',
  'ensureTrustee',
  'planNodes',
  'applyStack',
  'awaitStack',
  'forgetGone',
  'awaitNodes',
  'removeFormerTrustees',
  'goOn',
];

const common: Pick<Case, 'reconciler' | 'ctx' | 'world'> = {
  reconciler: () => fixture.app.nest.get(ClusterReconciler),
  ctx: () => fixture.ctx,
  world: (id) => fixture.world.removed.has(id),
};

/** Complete with all nodes ready, or failed for this reason. */
function ending(
  action: 'create' | 'update',
  workers: number,
): Pick<Case, 'expectDone' | 'expectFailed'> {
  return {
    expectDone: async (id) => {
      expect(await clusters.get(fixture.ctx, id)).toMatchObject({
        state: `${action}_complete`,
        stateReason: null,
        faults: {},
      });
      const nodes = await fixture.nodesOf(id);
      expect(nodes.map(({ fate, status }) => `${fate} ${status}`)).toEqual(
        Array(1 + workers).fill('wanted READY'),
      );
    },
    expectFailed: async (id, stateReason) => {
      const row = await clusters.get(fixture.ctx, id);
      expect(row).toMatchObject({ state: `${action}_failed`, stateReason });
      expect(Object.keys(row.faults)).not.toEqual([]);
    },
  };
}

const cases: readonly Case[] = [
  {
    ...common,
    ...ending('create', 1),
    state: 'create_in_progress',
    phases: converging,
    arrange: create,
  },
  {
    ...common,
    ...ending('update', 2),
    state: 'update_in_progress',
    phases: converging,
    arrange: async () => {
      const id = await made();
      await resized(id);
      return id;
    },
  },
  {
    ...common,
    state: 'delete_in_progress',
    phases: ['removeLeftovers', 'removeStack', 'removeLateLeftovers', 'removeTrustee', 'forget'],
    arrange: async () => {
      const id = await made();
      expect((await fixture.ask('DELETE', `/v1/clusters/${id}`)).status).toBe(204);
      return id;
    },
    expectDone: async (id) => {
      expect(await clusters.find(fixture.ctx, id)).toBeUndefined();
      expect(common.world(id)).toBe(true);
    },
    expectFailed: async (id, stateReason) => {
      expect(await clusters.get(fixture.ctx, id)).toMatchObject({
        state: 'delete_failed',
        stateReason,
      });
    },
  },
];

for (const each of cases) reconcilerSuite(each);
