/** What holds for every reconciler, of that of load balancers. */
import { afterAll, beforeAll, expect } from '@jest/globals';
import { createLogger } from '@cumulet/common/observe/logger';
import { runReconciler } from '@cumulet/common/reconcile/run-reconciler';
import { transition } from '@cumulet/common/states/transition';
import { reconcilerSuite, type ReconcilerCase } from '@cumulet/testing/reconciler-suite';
import { Hosts } from '../hosts/hosts.js';
import { startLoadBalancer, type LoadBalancerFixture } from '../loadbalancer.fixture.js';
import { treeRows } from '../tree/tree-rows.js';
import { insertTree, listeners } from '../tree/tree.fixture.js';
import { PKCS12 } from '../tls/certificates.fixture.js';
import { type LoadBalancer, loadBalancers } from '../tree/load-balancer.entity.js';
import { LoadBalancerReconciler } from './load-balancer.reconciler.js';
import {
  loadBalancerStates,
  type LoadBalancerEvent,
  type LoadBalancerState,
} from '../tree/load-balancer.states.js';

const logger = createLogger('test', 'silent');
let fixture: LoadBalancerFixture;

beforeAll(async () => {
  // Nothing but the suite works.
  fixture = await startLoadBalancer({ config: { role: 'api' } });
  await fixture.app.nest.get(Hosts).report(fixture.ctx);
});
afterAll(() => fixture.stop());

/** What their listeners show to clients, by load balancer. */
const certificates = new Map<string, string>();

/** With a certificate of its own. @param values of the load balancer's row */
async function arrange(values: Partial<LoadBalancer> = {}): Promise<string> {
  const ref = fixture.secrets.put(PKCS12);
  const { id, listenerId } = await insertTree(fixture, values);
  await listeners.update(fixture.ctx, listenerId, { defaultTlsContainerRef: ref });
  certificates.set(id, ref);
  return id;
}

type Case = ReconcilerCase<LoadBalancer, LoadBalancerState, LoadBalancerEvent>;

const common: Pick<Case, 'reconciler' | 'ctx' | 'world' | 'expectFailed'> = {
  reconciler: () => fixture.app.nest.get(LoadBalancerReconciler),
  ctx: () => fixture.ctx,
  world: (id) => ({
    hasPort: fixture.vips.ports.has(id),
    spec: fixture.dataPlane.running.get(id)?.spec,
    users: fixture.secrets.usersOf(certificates.get(id) ?? ''),
  }),
  expectFailed: async (id, stateReason) => {
    expect(await loadBalancers.get(fixture.ctx, id)).toMatchObject({ state: 'error', stateReason });
    expect(await partStatuses(id)).toEqual(['ERROR', 'ERROR', 'ERROR']);
  },
};

async function partStatuses(id: string): Promise<string[]> {
  const rows = await treeRows(fixture.ctx, await loadBalancers.get(fixture.ctx, id));
  const parts = [...rows.listeners, ...rows.pools, ...rows.members];
  return parts.map(({ provisioningStatus }) => provisioningStatus);
}

async function expectRunning(id: string): Promise<void> {
  const row = await loadBalancers.get(fixture.ctx, id);
  expect(row).toMatchObject({ state: 'active', host: fixture.config.host });
  expect(fixture.vips.ports.get(id)).toBe(row.vipPortId);
  expect(fixture.dataPlane.running.get(id)?.spec.addresses).toEqual([row.vipAddress]);
  expect(fixture.secrets.usersOf(certificates.get(id) ?? '')).toHaveLength(1);
  expect(await partStatuses(id)).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE']);
}

const cases: readonly Case[] = [
  {
    ...common,
    state: 'pending_create',
    phases: ['ensurePort', 'placeOnHost', 'apply'],
    arrange: () => arrange(),
    expectDone: expectRunning,
  },
  {
    ...common,
    state: 'pending_update',
    phases: ['ensurePort', 'placeOnHost', 'apply'],
    arrange: () => arrange({ state: 'pending_update', host: fixture.config.host }),
    expectDone: expectRunning,
  },
  {
    ...common,
    state: 'pending_delete',
    phases: ['removeFromHost', 'releasePort', 'releaseSecrets', 'forget'],
    arrange: async () => {
      const id = await arrange();
      await runReconciler(common.reconciler(), fixture.ctx, id, 0, { logger });
      await transition(fixture.ctx, loadBalancerStates, id, 'remove');
      return id;
    },
    expectDone: async (id) => {
      expect(await loadBalancers.find(fixture.ctx, id)).toBeUndefined();
      expect(common.world(id)).toEqual({ hasPort: false, spec: undefined, users: [] });
    },
  },
];

for (const each of cases) reconcilerSuite(each);
