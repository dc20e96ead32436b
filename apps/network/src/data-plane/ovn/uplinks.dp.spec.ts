/** Traffic between the machine and a guest, over the uplink of a physical network. */
import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { NO_QOS, type NetworkSpec, type RouterSpec } from '../data-plane.js';
import * as machine from './host/test-guest.fixture.js';
import { newMac, TestHost } from './host/test-host.fixture.js';
import * as cloud from './test-cloud.fixture.js';

// An address range for tests (RFC 2544), random since other tests may run on this machine.
const OUTSIDE = `198.18.${randomInt(256)}`;
const FLOATING = `${OUTSIDE}.21`;

let test: TestHost;
let router: RouterSpec;

beforeAll(async () => {
  test = await TestHost.start({ uplinkAddresses: new Map([['public', `${OUTSIDE}.1/24`]]) });
  const network = cloud.networkSpec(cloud.subnetSpec('10.0.1.0/24'));
  const external: NetworkSpec = {
    ...cloud.networkSpec(cloud.subnetSpec(`${OUTSIDE}.0/24`, { enableDhcp: false })),
    networkType: 'flat',
    physicalNetwork: 'public',
    segmentationId: null,
  };
  const group = cloud.groupSpec(cloud.rule({ protocol: 'icmp' }), cloud.tcp(80));
  for (const each of [network, external]) await test.dataPlane.ensureNetwork(each);
  await test.dataPlane.ensureSecurityGroup(group);
  const port = cloud.portSpec(network, ['10.0.1.11'], { securityGroups: [group.id] });
  const guest = await cloud.guestOn(test, port);
  await guest.ip('route', 'add', 'default', 'via', '10.0.1.1');
  for (const one of [80, 81]) await guest.serve(one);
  const at = { networkId: external.id, address: FLOATING };
  const to = { fixedAddress: '10.0.1.11', fixedPortId: port.id };
  router = {
    id: randomUUID(),
    adminStateUp: true,
    routes: [],
    portForwardings: [],
    availabilityZones: [],
    interfaces: [cloud.routerPortSpec(network, '10.0.1.1')],
    gateways: [
      { ...cloud.routerPortSpec(external, `${OUTSIDE}.2`), enableSnat: true, qos: NO_QOS },
    ],
    floatingIps: [{ id: randomUUID(), macAddress: newMac(), ...at, ...to, qos: NO_QOS }],
  };
  await test.dataPlane.ensureRouter(router);
});
afterAll(() => test.stop());

describe('a floating IP', () => {
  it('answers the machine over the uplink, which has its address from the start', async () => {
    await eventually('it answers', () => machine.pings(FLOATING));
    expect(await machine.reaches(FLOATING, 80)).toBe(true);
  });

  it('does not answer the machine past the security groups', async () => {
    await eventually('it answers', () => machine.reaches(FLOATING, 80));
    expect(await machine.reaches(FLOATING, 81)).toBe(false);
  });

  it('does not answer after it was deleted', async () => {
    await test.dataPlane.ensureRouter({ ...router, floatingIps: [] });
    await eventually('it is gone', async () => !(await machine.reaches(FLOATING, 80)));
  });
});
