/** Traffic between networks, and to and from an external one. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { NO_QOS, type NetworkSpec, type PortSpec, type RouterSpec } from '../data-plane.js';
import type { TestGuest } from './host/test-guest.fixture.js';
import { newMac, TestHost } from './host/test-host.fixture.js';
import * as cloud from './test-cloud.fixture.js';

let test: TestHost;
let router: RouterSpec;
let port: PortSpec;
let guest: TestGuest;
let neighbour: TestGuest;
let outside: TestGuest;

const GATEWAY = '203.0.113.2';

beforeAll(async () => {
  test = await TestHost.start();
  const [one, other, external] = ['10.0.1.0/24', '10.0.2.0/24', '203.0.113.0/24'].map((cidr) =>
    cloud.networkSpec(cloud.subnetSpec(cidr)),
  ) as [NetworkSpec, NetworkSpec, NetworkSpec];
  for (const network of [one, other, external]) await test.dataPlane.ensureNetwork(network);
  const group = cloud.groupSpec(cloud.tcp(80));
  await test.dataPlane.ensureSecurityGroup(group);
  port = cloud.portSpec(one, ['10.0.1.11'], { securityGroups: [group.id] });
  guest = await cloud.guestOn(test, port);
  const next = cloud.portSpec(other, ['10.0.2.11'], { securityGroups: [group.id] });
  neighbour = await cloud.guestOn(test, next);
  // The outside world, which no security group restricts.
  const world = cloud.portSpec(external, ['203.0.113.9'], { portSecurityEnabled: false });
  outside = await cloud.guestOn(test, world);
  for (const [each, gateway] of [
    [guest, '10.0.1.1'],
    [neighbour, '10.0.2.1'],
  ] as const)
    await each.ip('route', 'add', 'default', 'via', gateway);
  router = {
    id: randomUUID(),
    adminStateUp: true,
    routes: [],
    floatingIps: [],
    portForwardings: [],
    availabilityZones: [],
    interfaces: [cloud.routerPortSpec(one, '10.0.1.1'), cloud.routerPortSpec(other, '10.0.2.1')],
    gateways: [{ ...cloud.routerPortSpec(external, GATEWAY), enableSnat: true, qos: NO_QOS }],
  };
  await test.dataPlane.ensureRouter(router);
  for (const each of [guest, neighbour, outside]) await each.serve(80);
});
afterAll(() => test.stop());

describe('a router', () => {
  it('routes between networks', async () => {
    await eventually('the neighbour answers', () => guest.reaches('10.0.2.11', 80));
  });

  it('routes out by SNAT, and not in', async () => {
    await eventually('the world answers', () => guest.reaches('203.0.113.9', 80));
    expect(await outside.reaches('10.0.1.11', 80)).toBe(false);
  });

  it('associates and disassociates a floating IP', async () => {
    const [gateway] = router.gateways;
    const at = { networkId: gateway?.networkId ?? '', address: '203.0.113.21' };
    const to = { fixedAddress: '10.0.1.11', fixedPortId: port.id };
    const floating = { id: randomUUID(), macAddress: newMac(), ...at, ...to, qos: NO_QOS };
    await test.dataPlane.ensureRouter({ ...router, floatingIps: [floating] });
    await eventually('the floating IP answers', () => outside.reaches('203.0.113.21', 80));
    await test.dataPlane.ensureRouter(router);
    await eventually('it is gone', async () => !(await outside.reaches('203.0.113.21', 80)));
  });

  it('forwards a port of a floating IP', async () => {
    const [gateway] = router.gateways;
    const forwarding = {
      id: randomUUID(),
      networkId: gateway?.networkId ?? '',
      address: '203.0.113.22',
      protocol: 'tcp',
      externalPorts: [8080, 8080] as const,
      internalAddress: '10.0.1.11',
      internalPortId: port.id,
      internalPorts: [80, 80] as const,
    };
    await test.dataPlane.ensureRouter({ ...router, portForwardings: [forwarding] });
    await eventually('the port answers', () => outside.reaches('203.0.113.22', 8080));
    expect(await outside.reaches('203.0.113.22', 80)).toBe(false);
  });

  it('routes nothing while it is disabled', async () => {
    await test.dataPlane.ensureRouter({ ...router, adminStateUp: false });
    await eventually('nothing answers', async () => !(await guest.reaches('10.0.2.11', 80)));
    await test.dataPlane.ensureRouter(router);
    await eventually('the neighbour answers', () => guest.reaches('10.0.2.11', 80));
  });

  it('limits traffic in through its gateway, and to a floating IP with its own limit', async () => {
    const [gateway] = router.gateways;
    if (!gateway) throw new Error('the router has no gateway');
    // One answer each second, of fifty in half a second, after a burst of two.
    const qos = { ...NO_QOS, ingress: { maxKbps: 8, maxBurstKbps: 16 } };
    const world = '203.0.113.9';
    const answersTo = (from: TestGuest) => from.echoes(world, 50);
    const isLimited = async (from: TestGuest): Promise<boolean> => (await answersTo(from)) < 25;
    const at = { networkId: gateway.networkId, address: '203.0.113.23' };
    const to = { fixedAddress: '10.0.1.11', fixedPortId: port.id };
    const floating = { id: randomUUID(), macAddress: newMac(), ...at, ...to, qos };
    await test.dataPlane.ensureRouter({ ...router, floatingIps: [floating] });
    await eventually('the floating IP is limited', () => isLimited(guest));
    expect(await answersTo(neighbour)).toBe(50);
    await test.dataPlane.ensureRouter({ ...router, gateways: [{ ...gateway, qos }] });
    await eventually('the gateway is limited', () => isLimited(neighbour));
    await test.dataPlane.ensureRouter(router);
    await eventually('nothing is limited', async () => (await answersTo(neighbour)) === 50);
    expect(test.northbound.rows.of('QoS').size).toBe(0);
  });

  it('causes no crash', () => {
    expect(test.ended).toEqual([]);
  });
});
