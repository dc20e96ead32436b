import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createLogger } from '@cumulet/common/observe/logger';
import { runReconciler } from '@cumulet/common/reconcile/run-reconciler';
import { initialState, transition } from '@cumulet/common/states/transition';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { reconcilerSuite } from '@cumulet/testing/reconciler-suite';
import type { DataSource } from 'typeorm';
import { balancerSpecOf } from '../balancers/checked-subnets.js';
import { BalancerReconciler } from '../balancers/balancer.reconciler.js';
import { balancerStates } from '../balancers/balancer.states.js';
import { balancers } from '../balancers/balancer.entity.js';
import { NO_QOS } from './data-plane.js';
import { SimulatedDataPlane } from './simulated-data-plane.js';
import { portSpecOf } from '../ports/port-spec.js';
import { PortReconciler } from '../ports/port.reconciler.js';
import { portStates } from '../ports/port.states.js';
import { ports } from '../ports/port.repository.js';
import { QosPolicyReconciler } from '../qos/qos-policy.reconciler.js';
import { qosPolicyStates } from '../qos/qos-policy.states.js';
import { qosPolicies } from '../qos/qos-tables.js';
import { networkService } from '../service.js';
import { routerSpecOf, RouterReconciler } from '../routers/router.reconciler.js';
import { routerStates } from '../router-locks/router.states.js';
import { routerPorts, routers } from '../routers/router.entity.js';
import { securityGroups } from '../security-groups/default-group.js';
import { SecurityGroupReconciler } from '../security-groups/security-group.reconciler.js';
import { securityGroupStates } from '../security-groups/security-group.states.js';
import { networkSpecOf, NetworkReconciler } from '../networks/network.reconciler.js';
import { networkStates } from '../networks/network.states.js';
import { networks } from '../networks/networks.service.js';

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;
let dataPlane: SimulatedDataPlane;

beforeAll(async () => {
  database = await createTestDatabase(networkService);
  dataSource = await networkService.dataSource(database.url).initialize();
  ctx = RequestContext.system('req-networks', dataSource.manager);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(() => {
  dataPlane = new SimulatedDataPlane();
});

async function newNetwork(): Promise<string> {
  const id = randomUUID();
  const network = { id, projectId: asId<never>('project'), mtu: 1442 };
  await networks.insert(ctx, {
    ...network,
    networkType: 'local',
    ...initialState(networkStates),
  });
  return id;
}

/** A network that the data plane has applied. */
async function activeNetwork(): Promise<string> {
  const id = await newNetwork();
  await transition(ctx, networkStates, id, 'applied');
  await dataPlane.ensureNetwork(await networkSpecOf(ctx, await networks.get(ctx, id)));
  return id;
}

async function newPort(hostId = 'here'): Promise<string> {
  const id = randomUUID();
  const networkId = await activeNetwork();
  await ports.insert(ctx, {
    id,
    projectId: asId<never>('project'),
    networkId,
    hostId,
    macAddress: 'fa:16:3e:00:00:01',
    portSecurityEnabled: true,
    ...initialState(portStates),
  });
  return id;
}

const stateOf = async (table: string, id: string) => {
  const rows: object[] = await dataSource.query(
    `SELECT state, state_reason AS reason FROM ${table} WHERE id = $1`,
    [id],
  );
  return rows[0];
};

describe('networks', () => {
  const shared = {
    reconciler: () => new NetworkReconciler(dataPlane),
    ctx: () => ctx,
    world: (id: string) => dataPlane.networks.get(id)?.id,
  };

  reconcilerSuite({
    ...shared,
    state: 'applying',
    phases: ['ensureNetwork'],
    arrange: newNetwork,
    expectDone: async (id) => {
      expect(await stateOf('networks', id)).toMatchObject({ state: 'active' });
      expect(dataPlane.networks.has(id)).toBe(true);
    },
    expectFailed: async (id, reason) =>
      expect(await stateOf('networks', id)).toEqual({ state: 'error', reason }),
  });

  reconcilerSuite({
    ...shared,
    state: 'removing',
    phases: ['awaitPorts', 'removeNetwork', 'forget'],
    arrange: async () => {
      const id = await activeNetwork();
      await transition(ctx, networkStates, id, 'remove');
      return id;
    },
    expectDone: async (id) => {
      expect(await stateOf('networks', id)).toBeUndefined();
      expect(dataPlane.networks.has(id)).toBe(false);
    },
    expectFailed: () => Promise.resolve(),
  });
});

describe('security groups', () => {
  const shared = {
    reconciler: () => new SecurityGroupReconciler(dataPlane),
    ctx: () => ctx,
    world: (id: string) => dataPlane.securityGroups.get(id)?.id,
  };
  const newGroup = async (): Promise<string> => {
    const id = randomUUID();
    const group = { id, projectId: asId<never>('project'), name: 'one' };
    await securityGroups.insert(ctx, { ...group, ...initialState(securityGroupStates) });
    return id;
  };

  reconcilerSuite({
    ...shared,
    state: 'applying',
    phases: ['ensureSecurityGroup'],
    arrange: newGroup,
    expectDone: async (id) => {
      expect(await stateOf('security_groups', id)).toMatchObject({ state: 'active' });
      expect(dataPlane.securityGroups.has(id)).toBe(true);
    },
    expectFailed: async (id, reason) =>
      expect(await stateOf('security_groups', id)).toEqual({ state: 'error', reason }),
  });

  reconcilerSuite({
    ...shared,
    state: 'removing',
    phases: ['removeSecurityGroup', 'forget'],
    arrange: async () => {
      const id = await newGroup();
      await dataPlane.ensureSecurityGroup({ id, stateful: true, rules: [] });
      await transition(ctx, securityGroupStates, id, 'remove');
      return id;
    },
    expectDone: async (id) => {
      expect(await stateOf('security_groups', id)).toBeUndefined();
      expect(dataPlane.securityGroups.has(id)).toBe(false);
    },
    expectFailed: () => Promise.resolve(),
  });
});

describe('routers', () => {
  const shared = {
    reconciler: () => new RouterReconciler(dataPlane),
    ctx: () => ctx,
    world: (id: string) => dataPlane.routers.get(id)?.id,
  };
  const newRouter = async (): Promise<string> => {
    const id = randomUUID();
    const router = { id, projectId: asId<never>('project') };
    await routers.insert(ctx, { ...router, ...initialState(routerStates) });
    return id;
  };

  reconcilerSuite({
    ...shared,
    state: 'applying',
    phases: ['ensureRouter'],
    arrange: newRouter,
    expectDone: async (id) => {
      expect(await stateOf('routers', id)).toMatchObject({ state: 'active' });
      expect(dataPlane.routers.has(id)).toBe(true);
    },
    expectFailed: async (id, reason) =>
      expect(await stateOf('routers', id)).toEqual({ state: 'error', reason }),
  });

  reconcilerSuite({
    ...shared,
    state: 'removing',
    phases: ['removeRouter', 'forget'],
    arrange: async () => {
      const id = await newRouter();
      await dataPlane.ensureRouter(await routerSpecOf(ctx, await routers.get(ctx, id)));
      await transition(ctx, routerStates, id, 'remove');
      return id;
    },
    expectDone: async (id) => {
      expect(await stateOf('routers', id)).toBeUndefined();
      expect(dataPlane.routers.has(id)).toBe(false);
    },
    expectFailed: () => Promise.resolve(),
  });

  it('has ports that are up once the data plane has applied it', async () => {
    const portId = await newPort('');
    await ports.update(ctx, portId, { deviceOwner: 'network:router_interface' });
    const routerId = await newRouter();
    await routerPorts.insert(ctx, { portId, routerId, kind: 'interface' });
    const reconciler = new PortReconciler(dataPlane);
    const look = async () => {
      const row = await ports.get(ctx, portId);
      const [phase] = reconciler.plans.building?.phases ?? [];
      return phase?.run({ ctx, row, signal: new AbortController().signal });
    };
    expect(await look()).toHaveProperty('waitMs');
    await transition(ctx, routerStates, routerId, 'applied');
    expect(await look()).toBeUndefined();
    expect(await stateOf('ports', portId)).toMatchObject({ state: 'active' });
  });

  it('has ports that fail with it, for the same reason', async () => {
    const portId = await newPort('');
    await ports.update(ctx, portId, { deviceOwner: 'network:router_gateway' });
    const routerId = await newRouter();
    await routerPorts.insert(ctx, { portId, routerId, kind: 'gateway' });
    await transition(ctx, routerStates, routerId, 'fail', { reason: 'no chassis' });
    await runReconciler(new PortReconciler(dataPlane), ctx, portId, 0, {
      logger: createLogger('test', 'silent'),
    });
    expect(await stateOf('ports', portId)).toEqual({ state: 'error', reason: 'no chassis' });
  });
});

describe('balancers', () => {
  const shared = {
    reconciler: () => new BalancerReconciler(dataPlane),
    ctx: () => ctx,
    world: (id: string) => dataPlane.balancers.get(id)?.id,
  };
  const newBalancer = async (): Promise<string> => {
    const id = randomUUID();
    const balancer = { id, projectId: 'project', adminStateUp: true, checkedSubnetIds: [] };
    await balancers.insert(ctx, {
      ...balancer,
      vipPortId: await newPort(''),
      listeners: [],
      ...initialState(balancerStates),
    });
    return id;
  };

  reconcilerSuite({
    ...shared,
    state: 'applying',
    phases: ['ensureBalancer'],
    arrange: newBalancer,
    expectDone: async (id) => {
      expect(await stateOf('balancers', id)).toMatchObject({ state: 'active' });
      expect(dataPlane.balancers.has(id)).toBe(true);
    },
    expectFailed: async (id, reason) =>
      expect(await stateOf('balancers', id)).toEqual({ state: 'error', reason }),
  });

  reconcilerSuite({
    ...shared,
    state: 'removing',
    phases: ['removeBalancer', 'forget'],
    arrange: async () => {
      const id = await newBalancer();
      await dataPlane.ensureBalancer(await balancerSpecOf(ctx, await balancers.get(ctx, id)));
      await transition(ctx, balancerStates, id, 'remove');
      return id;
    },
    expectDone: async (id) => {
      expect(await stateOf('balancers', id)).toBeUndefined();
      expect(dataPlane.balancers.has(id)).toBe(false);
    },
    expectFailed: () => Promise.resolve(),
  });
});

describe('ports', () => {
  const shared = {
    reconciler: () => new PortReconciler(dataPlane),
    ctx: () => ctx,
    world: (id: string) => dataPlane.ports.get(id)?.id,
  };

  reconcilerSuite({
    ...shared,
    state: 'building',
    phases: ['ensurePort'],
    arrange: newPort,
    expectDone: async (id) => {
      expect(await stateOf('ports', id)).toMatchObject({ state: 'active' });
      expect(dataPlane.ports.has(id)).toBe(true);
    },
    expectFailed: async (id, reason) =>
      expect(await stateOf('ports', id)).toEqual({ state: 'error', reason }),
  });

  reconcilerSuite({
    ...shared,
    state: 'removing',
    phases: ['removePort', 'forget'],
    arrange: async () => {
      const id = await newPort();
      await dataPlane.ensurePort(portSpecOf(await ports.get(ctx, id), NO_QOS));
      await transition(ctx, portStates, id, 'remove');
      return id;
    },
    expectDone: async (id) => {
      expect(await stateOf('ports', id)).toBeUndefined();
      expect(dataPlane.ports.has(id)).toBe(false);
    },
    expectFailed: () => Promise.resolve(),
  });

  it('is down without a host, once the data plane has applied it', async () => {
    const id = await newPort('');
    const reconciler = new PortReconciler(dataPlane);
    const row = await ports.get(ctx, id);
    const [phase] = reconciler.plans.building?.phases ?? [];
    await phase?.run({ ctx, row, signal: new AbortController().signal });
    expect(await stateOf('ports', id)).toMatchObject({ state: 'down' });
  });
});

describe('QoS policies', () => {
  reconcilerSuite({
    reconciler: () => new QosPolicyReconciler(),
    ctx: () => ctx,
    // Applying its ports is their own reconciler's work.
    world: () => undefined,
    state: 'applying',
    phases: ['reapplyUsers'],
    arrange: async () => {
      const id = randomUUID();
      const policy = { id, projectId: asId<never>('project'), name: 'one' };
      await qosPolicies.insert(ctx, { ...policy, ...initialState(qosPolicyStates) });
      const port = await newPort();
      await ports.update(ctx, port, { qosPolicyId: id });
      await transition(ctx, portStates, port, 'came-up');
      await transition(ctx, qosPolicyStates, id, 'change');
      return id;
    },
    expectDone: async (id) => {
      expect(await stateOf('qos_policies', id)).toMatchObject({ state: 'active' });
      const rows: object[] = await dataSource.query(
        'SELECT state FROM ports WHERE qos_policy_id = $1',
        [id],
      );
      expect(rows).toEqual([{ state: 'updating' }]);
    },
    expectFailed: async (id, reason) =>
      expect(await stateOf('qos_policies', id)).toEqual({ state: 'error', reason }),
  });
});
