/** Traffic through a balancer of OVN. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import type { BalancerListenerSpec, BalancerSpec } from '../balancer-spec.js';
import { NO_QOS, type NetworkSpec, type RouterSpec } from '../data-plane.js';
import type { TestGuest } from './host/test-guest.fixture.js';
import { newMac, TestHost } from './host/test-host.fixture.js';
import * as cloud from './test-cloud.fixture.js';

let test: TestHost;
let own: NetworkSpec;
let other: NetworkSpec;
let external: NetworkSpec;
let router: RouterSpec;
let balancer: BalancerSpec;
let client: TestGuest;
let neighbour: TestGuest;
let outside: TestGuest;
/** Stops the second member's TCP server. */
let stopSecond: () => void;

const VIP = '10.0.1.30';
const CHECK = { intervalSeconds: 1, timeoutSeconds: 1, successCount: 1, failureCount: 1 };

beforeAll(async () => {
  test = await TestHost.start();
  [own, other, external] = ['10.0.1.0/24', '10.0.2.0/24', '203.0.113.0/24'].map((cidr) =>
    cloud.networkSpec(cloud.subnetSpec(cidr)),
  ) as [NetworkSpec, NetworkSpec, NetworkSpec];
  for (const network of [own, other, external]) await test.dataPlane.ensureNetwork(network);
  const group = cloud.groupSpec(cloud.rule({ protocol: 'tcp' }), cloud.rule({ protocol: 'udp' }));
  await test.dataPlane.ensureSecurityGroup(group);
  const guest = (network: NetworkSpec, address: string): Promise<TestGuest> =>
    cloud.guestOn(test, cloud.portSpec(network, [address], { securityGroups: [group.id] }));
  const members = [await guest(own, '10.0.1.11'), await guest(own, '10.0.1.12')] as const;
  client = await guest(own, '10.0.1.21');
  neighbour = await guest(other, '10.0.2.21');
  outside = await cloud.guestOn(
    test,
    cloud.portSpec(external, ['203.0.113.9'], { portSecurityEnabled: false }),
  );
  await members[0].says('TCP', 8080, 'first');
  stopSecond = await members[1].says('TCP', 8080, 'second');
  await members[0].says('UDP', 5353, 'first');
  await members[1].says('UDP', 5353, 'second');
  for (const each of members) await each.ip('route', 'add', 'default', 'via', '10.0.1.1');
  await client.ip('route', 'add', 'default', 'via', '10.0.1.1');
  await neighbour.ip('route', 'add', 'default', 'via', '10.0.2.1');
  const vip = cloud.portSpec(own, [VIP], { host: null, isVip: true });
  await test.dataPlane.ensurePort(vip);
  const listener = (
    fields: Pick<BalancerListenerSpec, 'protocol' | 'port'> & Partial<BalancerListenerSpec>,
    port: number,
  ): BalancerListenerSpec => ({
    id: randomUUID(),
    affinitySeconds: null,
    check: null,
    members: ['10.0.1.11', '10.0.1.12'].map((address) => ({
      id: `${fields.protocol} ${address}`,
      address,
      port,
      networkId: own.id,
      checkedFrom: '10.0.1.5',
    })),
    ...fields,
  });
  await neighbour.says('TCP', 8080, 'far');
  const far = {
    id: 'far',
    address: '10.0.2.21',
    port: 8080,
    networkId: other.id,
    checkedFrom: '10.0.2.5',
  };
  balancer = {
    id: randomUUID(),
    projectId: own.projectId,
    portId: vip.id,
    networkId: own.id,
    macAddress: vip.macAddress,
    addresses: [{ address: VIP, cidr: '10.0.1.0/24' }],
    listeners: [
      listener({ protocol: 'tcp', port: 80, check: CHECK }, 8080),
      listener({ protocol: 'udp', port: 53 }, 5353),
      listener({ protocol: 'tcp', port: 81, members: [] }, 0),
      listener({ protocol: 'tcp', port: 82, members: [far] }, 0),
    ],
  };
  await test.dataPlane.ensureBalancer(balancer);
  router = {
    id: randomUUID(),
    adminStateUp: true,
    routes: [],
    floatingIps: [],
    portForwardings: [],
    availabilityZones: [],
    interfaces: [cloud.routerPortSpec(own, '10.0.1.1'), cloud.routerPortSpec(other, '10.0.2.1')],
    gateways: [{ ...cloud.routerPortSpec(external, '203.0.113.2'), enableSnat: true, qos: NO_QOS }],
  };
});
afterAll(() => test.stop());

/** Sends requests until every one of these has answered. */
const hearsAll = (
  from: TestGuest,
  [protocol, port]: readonly ['TCP' | 'UDP', number],
  who = ['first', 'second'],
  address = VIP,
): Promise<void> => {
  const heard = new Set<string>();
  return eventually(`${who.join(' and ')} answered by ${protocol}`, async () => {
    heard.add(await from.hears(protocol, address, port));
    return who.every((one) => heard.has(one));
  });
};

const results = async () =>
  Object.fromEntries((await test.dataPlane.balancerHealth()).get(balancer.id) ?? []);

describe('a balancer', () => {
  it('spreads TCP and UDP over its members, on a network without a router', async () => {
    await hearsAll(client, ['TCP', 80]);
    await hearsAll(client, ['UDP', 53]);
  });

  it('refuses clients while there are no members', async () => {
    expect(await client.hears('TCP', VIP, 81)).toBe('refused');
  });

  it('answers behind a router, and at a floating IP', async () => {
    await test.dataPlane.ensureRouter(router);
    await hearsAll(client, ['TCP', 80]);
    await hearsAll(neighbour, ['TCP', 80]);
    await hearsAll(neighbour, ['UDP', 53]);
    const to = { fixedAddress: VIP, fixedPortId: balancer.portId, qos: NO_QOS };
    const at = { networkId: external.id, address: '203.0.113.21', macAddress: newMac() };
    await test.dataPlane.ensureRouter({
      ...router,
      floatingIps: [{ id: randomUUID(), ...at, ...to }],
    });
    await hearsAll(outside, ['TCP', 80], undefined, '203.0.113.21');
    await hearsAll(outside, ['UDP', 53], undefined, '203.0.113.21');
  });

  it('has members behind the router', async () => {
    for (const from of [client, neighbour]) await hearsAll(from, ['TCP', 82], ['far']);
    await hearsAll(outside, ['TCP', 82], ['far'], '203.0.113.21');
  });

  it('may be on an external network, where the router answers for it', async () => {
    const vip = cloud.portSpec(external, ['203.0.113.30'], { host: null, isVip: true });
    await test.dataPlane.ensurePort(vip);
    const [first] = balancer.listeners;
    if (!first) throw new Error('there is no listener');
    const beyond: BalancerSpec = {
      ...balancer,
      id: randomUUID(),
      portId: vip.id,
      networkId: external.id,
      macAddress: vip.macAddress,
      addresses: [{ address: '203.0.113.30', cidr: '203.0.113.0/24' }],
      listeners: [{ ...first, id: randomUUID(), check: null }],
    };
    await test.dataPlane.ensureBalancer(beyond);
    for (const from of [outside, client])
      await hearsAll(from, ['TCP', 80], undefined, '203.0.113.30');
    await test.dataPlane.removeBalancer(beyond.id);
    await eventually('it is gone', async () => {
      return (await outside.hears('TCP', '203.0.113.30', 80)) === '';
    });
  });

  it('skips a member that fails its checks', async () => {
    const [first, second] = balancer.listeners[0]?.members.map(({ id }) => id) ?? [];
    await eventually('both are well', async () => {
      const all = await results();
      return all[first ?? ''] === 'online' && all[second ?? ''] === 'online';
    });
    stopSecond();
    await eventually('one is down', async () => (await results())[second ?? ''] === 'offline');
    for (let times = 0; times < 10; times++)
      expect(await client.hears('TCP', VIP, 80)).toBe('first');
    expect(await results()).toEqual({ [first ?? '']: 'online', [second ?? '']: 'offline' });
  });

  it('is repaired if somebody else has changed it', async () => {
    const { northbound } = test;
    const [listener] = balancer.listeners;
    const changed = { table: 'Load_Balancer', id: listener?.id ?? '', row: { vips: {} } };
    await northbound.transact([{ op: 'update', ...changed }]);
    await test.dataPlane.inventory();
    await hearsAll(client, ['TCP', 80], ['first']);
  });

  it('leaves nothing behind', async () => {
    await test.dataPlane.removeRouter(router.id);
    expect(await client.hears('TCP', VIP, 80)).toBe('first');
    await test.dataPlane.removeBalancer(balancer.id);
    await test.dataPlane.removeBalancer(balancer.id);
    expect((await test.dataPlane.inventory()).balancers).toEqual([]);
    await test.northbound.catchUp();
    const { rows } = test.northbound;
    const tables = ['Load_Balancer', 'Load_Balancer_Health_Check', 'Logical_Router'] as const;
    expect(tables.map((table) => rows.of(table).size)).toEqual([0, 0, 0]);
    expect(rows.find('Logical_Switch', own.id)?.['ports']).toHaveLength(4);
    // Hosts apply the rows after a while.
    await eventually('nobody answers', async () => (await client.hears('TCP', VIP, 80)) === '');
  });

  it('causes no crash', () => {
    expect(test.ended).toEqual([]);
  });
});
