/** Ports in network namespaces of their own: their traffic, and their removal. */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { namespaceFor, NO_QOS } from '../../../data-plane.js';
import type { NetworkSpec, PortSpec, RouterSpec, SecurityGroupSpec } from '../../../data-plane.js';
import * as cloud from '../../test-cloud.fixture.js';
import { inNamespace, run } from '../switch-namespace.js';
import { Taps } from '../taps/taps.js';
import { pings, reaches, serveIn, type TestGuest } from '../test-guest.fixture.js';
import { HOST, newMac, TestHost } from '../test-host.fixture.js';
import { devicesIn, namespacesOf } from './port-namespace.js';

let test: TestHost;
let taps: Taps;
let failures: unknown[];
let network: NetworkSpec;
let group: SecurityGroupSpec;
let vip: PortSpec;
let servers: ChildProcess[];

const inSwitch = () => test.host.chassis.namespace;
const name = (port: PortSpec = vip) => namespaceFor(inSwitch(), port.id);
const fromVip = (program: string, args: readonly string[]) => inNamespace(name(), program, args);

const startTaps = (): void => {
  const { central, chassis } = test.host;
  const databases = { southbound: central.southbound, switchDatabase: chassis.switchDatabase };
  const at = { namespace: chassis.namespace, host: HOST, uid: 65_534, ethtool: test.ethtool };
  taps = new Taps({ ...at, ...databases }, { failed: (error) => failures.push(error) });
  taps.start();
};

const bind = async (changes: Partial<PortSpec> = {}): Promise<void> => {
  vip = { ...vip, host: HOST, namespace: 'own', ...changes };
  await test.dataPlane.ensurePort(vip);
  await eventually('the port is up', () => test.isUp(vip.id));
};

const serve = async (port: number): Promise<void> => {
  servers.push(await serveIn(name(), port));
};

const guestAt = (subnet: number, address: string): Promise<TestGuest> => {
  const { id: subnetId = '' } = network.subnets[subnet] ?? {};
  const at = { addresses: [{ subnetId, address }], securityGroups: [group.id] };
  return cloud.guestOn(test, cloud.portSpec(network, [], at));
};

/** Connects all subnets of the network with the external network. */
const routerTo = (outside: NetworkSpec): RouterSpec => ({
  id: randomUUID(),
  adminStateUp: true,
  routes: [],
  floatingIps: [],
  portForwardings: [],
  availabilityZones: [],
  interfaces: network.subnets.map((subnet) => {
    const own = { ...network, subnets: [subnet] };
    return cloud.routerPortSpec(own, subnet.gatewayIp ?? '');
  }),
  gateways: [{ ...cloud.routerPortSpec(outside, '203.0.113.2'), enableSnat: false, qos: NO_QOS }],
});

/** A network with a guest outside of all security groups. */
const outsideWorld = async (): Promise<{ network: NetworkSpec; world: TestGuest }> => {
  const outside = cloud.networkSpec(cloud.subnetSpec('203.0.113.0/24', { gatewayIp: null }));
  await test.dataPlane.ensureNetwork(outside);
  const port = cloud.portSpec(outside, ['203.0.113.9'], { portSecurityEnabled: false });
  return { network: outside, world: await cloud.guestOn(test, port) };
};

interface Link {
  readonly ifindex: number;
  readonly mtu: number;
  readonly addr_info: readonly { readonly local: string; readonly scope: string }[];
}

/** Undefined while it does not exist. */
const shown = async (): Promise<Link | undefined> => {
  const args = ['-n', name(), '-json', 'addr', 'show', 'eth0'];
  const text = await run('ip', args).catch(() => '[]');
  return (JSON.parse(text) as Link[])[0];
};

const addresses = async (): Promise<string[]> => {
  const all = (await shown())?.addr_info ?? [];
  return all.flatMap(({ local, scope }) => (scope === 'global' ? [local] : [])).sort();
};

beforeAll(async () => {
  test = await TestHost.start();
});
afterAll(() => test.stop());
beforeEach(async () => {
  [failures, servers] = [[], []];
  network = cloud.networkSpec(
    cloud.subnetSpec('10.0.1.0/24'),
    cloud.subnetSpec('2001:db8:1::/64', { gatewayIp: '2001:db8:1::1' }),
    cloud.subnetSpec('10.0.2.0/24'),
  );
  const six = { ...cloud.tcp(80), id: randomUUID(), ethertype: 'IPv6' as const };
  group = cloud.groupSpec(cloud.tcp(80), six, cloud.rule({ protocol: 'icmp' }));
  await test.dataPlane.ensureNetwork(network);
  await test.dataPlane.ensureSecurityGroup(group);
  const groups = { securityGroups: [group.id] };
  vip = cloud.portSpec(network, ['10.0.1.30', '2001:db8:1::30', '10.0.2.30'], groups);
  startTaps();
});
afterEach(async () => {
  for (const server of servers) server.kill('SIGKILL');
  await test.clear();
  await eventually('nothing is left', async () => {
    const left = [...(await namespacesOf(inSwitch())), ...(await devicesIn(inSwitch()))];
    return left.length === 0;
  });
  await taps.stop();
  expect(failures).toEqual([]);
});

describe('a port with a network namespace of its own', () => {
  it('is reachable at each of its addresses, as far as its groups permit', async () => {
    await bind();
    const guest = await guestAt(0, '10.0.1.11');
    await serve(80);
    await serve(81);
    await eventually('it answers', () => guest.reaches('10.0.1.30', 80));
    expect(await guest.pings('10.0.1.30')).toBe(true);
    const other = await guestAt(1, '2001:db8:1::11');
    await eventually('it answers by IPv6', () => other.reaches('2001:db8:1::30', 80));
    expect(await guest.reaches('10.0.1.30', 81)).toBe(false);
    expect(await addresses()).toEqual(['10.0.1.30', '10.0.2.30', '2001:db8:1::30']);
    expect((await shown())?.mtu).toBe(network.mtu);
  });

  it('reaches guests of its network, and itself', async () => {
    await bind();
    const guest = await guestAt(0, '10.0.1.11');
    await guest.serve(80);
    await eventually('the guest answers', () => reaches('10.0.1.11', 80, fromVip));
    expect(await pings('127.0.0.1', fromVip)).toBe(true);
  });

  it('is reachable through routers at addresses of several subnets, and at a floating IP', async () => {
    await bind();
    await serve(80);
    const { network: outside, world } = await outsideWorld();
    const router = routerTo(outside);
    const at = { networkId: outside.id, address: '203.0.113.21', macAddress: newMac() };
    const to = { fixedAddress: '10.0.1.30', fixedPortId: vip.id };
    const floatingIps = [{ id: randomUUID(), ...at, ...to, qos: NO_QOS }];
    await test.dataPlane.ensureRouter({ ...router, floatingIps });
    await eventually('the floating IP answers', () => world.reaches('203.0.113.21', 80));
    await world.ip('route', 'add', '10.0.0.0/8', 'via', '203.0.113.2');
    await eventually('the other subnet answers', () => world.reaches('10.0.2.30', 80));
  });

  it('follows changes of its addresses and network, and keeps its connections', async () => {
    await bind();
    const before = await shown();
    const guest = await guestAt(0, '10.0.1.11');
    const [first] = vip.addresses as [PortSpec['addresses'][number]];
    const more = { ...first, address: '10.0.1.31' };
    await bind({ addresses: [more, first] });
    await eventually('both are there', async () => (await addresses()).length === 2);
    await serve(80);
    await eventually('the new one answers', () => guest.reaches('10.0.1.31', 80));
    await bind({ addresses: [first] });
    await eventually('one is gone', async () => (await addresses()).join() === '10.0.1.30');
    network = {
      ...network,
      mtu: 1300,
      subnets: network.subnets.map((one) => ({ ...one, gatewayIp: null })),
    };
    await test.dataPlane.ensureNetwork(network);
    await eventually('it is smaller', async () => (await shown())?.mtu === 1300);
    const routes = (family: string) => run('ip', ['-n', name(), family, 'route']);
    await eventually('it has no gateway', async () => {
      return ![await routes('-4'), await routes('-6')].join().includes('default');
    });
    expect((await shown())?.ifindex).toBe(before?.ifindex);
    await eventually('it answers', () => guest.reaches('10.0.1.30', 80));
  });

  it.each([
    ['unbound', () => test.dataPlane.ensurePort({ ...vip, host: null })],
    ['bound to another host', () => test.dataPlane.ensurePort({ ...vip, host: 'there' })],
    ['gone', () => test.dataPlane.removePort(vip.id)],
  ])('leaves nothing once it is %s', async (_, change) => {
    await bind();
    await serve(80);
    await change();
    await eventually('its namespace is gone', async () => {
      const left = [...(await namespacesOf(inSwitch())), ...(await devicesIn(inSwitch()))];
      return left.length === 0;
    });
    await eventually('the port is down', () => !test.isUp(vip.id));
  });
});

describe('the next process', () => {
  it('adopts what is in use, and removes what a crash has left', async () => {
    await bind();
    await serve(80);
    const before = await shown();
    await taps.stop();
    const gone = cloud.portSpec(network, ['10.0.1.41']);
    await run('ip', ['netns', 'add', name(gone)]);
    startTaps();
    await eventually('it is gone', async () => {
      const names = await readdir('/run/netns');
      return !names.includes(name(gone));
    });
    expect((await shown())?.ifindex).toBe(before?.ifindex);
    const guest = await guestAt(0, '10.0.1.11');
    await eventually('it answers', () => guest.reaches('10.0.1.30', 80));
  });

  it('recreates what is missing around a running program', async () => {
    await bind();
    await serve(80);
    await taps.stop();
    const [device = ''] = await devicesIn(inSwitch());
    await run('ip', ['-n', inSwitch(), 'link', 'delete', device]);
    startTaps();
    const guest = await guestAt(0, '10.0.1.11');
    await eventually('it answers', () => guest.reaches('10.0.1.30', 80));
  });
});
