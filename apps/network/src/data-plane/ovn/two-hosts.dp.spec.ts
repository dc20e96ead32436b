/** Traffic between guests of two hosts, whose switches are connected by a tunnel. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { NO_QOS, type NetworkSpec, type PortSpec, type RouterSpec } from '../data-plane.js';
import { SOUTHBOUND_PORT } from './host/ovn-central.js';
import type { OvnChassis } from './host/ovn-chassis.js';
import { run } from './host/switch-namespace.js';
import type { TestGuest } from './host/test-guest.fixture.js';
import { newMac, TestHost } from './host/test-host.fixture.js';
import * as cloud from './test-cloud.fixture.js';

// A random address, since other tests may run on this machine.
const LISTEN = `127.${randomInt(1, 255)}.${randomInt(256)}.1`;
const KEY = randomBytes(4).toString('hex');
const CABLE = [`here${KEY}`, `there${KEY}`] as const;

let test: TestHost;
let there: OvnChassis;
let router: RouterSpec;
let network: NetworkSpec;
let port: PortSpec;
let near: TestGuest;
let far: TestGuest;
let outside: TestGuest;

beforeAll(async () => {
  const [here, yonder] = CABLE;
  await run('ip', ['link', 'add', here, 'type', 'veth', 'peer', 'name', yonder]);
  for (const end of CABLE) await run('ip', ['link', 'set', end, 'up']);
  test = await TestHost.start({
    listen: LISTEN,
    tunnel: { device: here, address: '192.0.2.1/24' },
  });
  there = await test.addHost('there', `tcp:${LISTEN}:${SOUTHBOUND_PORT}`, {
    device: yonder,
    address: '192.0.2.2/24',
  });
  network = cloud.networkSpec(cloud.subnetSpec('10.0.1.0/24'));
  const external = cloud.networkSpec(cloud.subnetSpec('203.0.113.0/24'));
  const group = cloud.groupSpec(cloud.rule({ protocol: 'icmp' }), cloud.tcp(80));
  for (const each of [network, external]) await test.dataPlane.ensureNetwork(each);
  await test.dataPlane.ensureSecurityGroup(group);
  const on = { securityGroups: [group.id] };
  near = await cloud.guestOn(test, cloud.portSpec(network, ['10.0.1.11'], on));
  port = cloud.portSpec(network, ['10.0.1.12'], { ...on, host: 'there' });
  far = await cloud.guestOn(test, port);
  const world = cloud.portSpec(external, ['203.0.113.9'], { portSecurityEnabled: false });
  outside = await cloud.guestOn(test, world);
  await far.ip('route', 'add', 'default', 'via', '10.0.1.1');
  router = {
    id: randomUUID(),
    adminStateUp: true,
    routes: [],
    floatingIps: [],
    portForwardings: [],
    availabilityZones: [],
    interfaces: [cloud.routerPortSpec(network, '10.0.1.1')],
    gateways: [{ ...cloud.routerPortSpec(external, '203.0.113.2'), enableSnat: true, qos: NO_QOS }],
  };
  await test.dataPlane.ensureRouter(router);
  for (const each of [near, far, outside]) await each.serve(80);
});
afterAll(async () => {
  await test.stop();
  await run('ip', ['link', 'delete', CABLE[0]]);
});

describe('two guests of a network on two hosts', () => {
  it('reach each other through the tunnel, and every byte arrives', async () => {
    await eventually('the far one answers', () => near.pings('10.0.1.12'));
    expect(await near.reaches('10.0.1.12', 80)).toBe(true);
    expect(await far.reaches('10.0.1.11', 80)).toBe(true);
  });
});

describe('the data plane', () => {
  it('lists both hosts, with their last heartbeats', async () => {
    const start = Date.now();
    await eventually('both live', async () => {
      const hosts = await test.dataPlane.hosts();
      return hosts.length === 2 && hosts.every(({ seenAt }) => seenAt.getTime() >= start);
    });
    const hosts = await test.dataPlane.hosts();
    expect(hosts.find(({ host }) => host === 'there')).toMatchObject({
      isGateway: false,
      availabilityZones: ['nova'],
      bridgeMappings: {},
      datapathType: 'netdev',
      networkNamespace: there.namespace,
    });
  });
});

describe('a guest of the second host', () => {
  it('gets its address by DHCP', async () => {
    await eventually('DHCP answers', async () => Object.keys(await far.dhcp()).length > 0);
    expect(await far.dhcp()).toMatchObject({ address: '10.0.1.12', mtu: 1442 });
  });

  it('reaches the outside through the first host, which has the gateway', async () => {
    await eventually('the world answers', () => far.reaches('203.0.113.9', 80));
    expect(await outside.reaches('10.0.1.12', 80)).toBe(false);
  });

  it('is reachable at its floating IP', async () => {
    const [gateway] = router.gateways;
    const at = { networkId: gateway?.networkId ?? '', address: '203.0.113.21' };
    const to = { fixedAddress: '10.0.1.12', fixedPortId: port.id };
    const floating = { id: randomUUID(), macAddress: newMac(), ...at, ...to, qos: NO_QOS };
    await test.dataPlane.ensureRouter({ ...router, floatingIps: [floating] });
    await eventually('the floating IP answers', () => outside.reaches('203.0.113.21', 80));
  });

  it('is reachable again after the switch of its host was killed', async () => {
    const pid = there.pidOf('switch');
    process.kill(pid ?? 0, 'SIGKILL');
    await eventually('the far one answers', () => near.reaches('10.0.1.12', 80));
  });
});
