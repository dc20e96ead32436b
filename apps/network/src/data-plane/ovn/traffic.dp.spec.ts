/** Traffic between guests that are network namespaces, through a real switch. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import type { NetworkSpec, SecurityGroupSpec } from '../data-plane.js';
import type { TestGuest } from './host/test-guest.fixture.js';
import { TestHost } from './host/test-host.fixture.js';
import * as cloud from './test-cloud.fixture.js';

let test: TestHost;
let network: NetworkSpec;
let group: SecurityGroupSpec;

const onNetwork = (address: string, securityGroups = [group.id]): Promise<TestGuest> =>
  cloud.guestOn(test, cloud.portSpec(network, [address], { securityGroups }));

beforeAll(async () => {
  test = await TestHost.start();
});
afterAll(() => test.stop());
beforeEach(async () => {
  network = cloud.networkSpec(cloud.subnetSpec('10.0.1.0/24'));
  group = cloud.groupSpec(cloud.rule({ protocol: 'icmp' }), cloud.tcp(80));
  await test.dataPlane.ensureNetwork(network);
  await test.dataPlane.ensureSecurityGroup(group);
});
afterEach(() => test.clear());

describe('two ports of a network', () => {
  it('reach each other, and every byte arrives', async () => {
    const [one, other] = [await onNetwork('10.0.1.11'), await onNetwork('10.0.1.12')];
    await other.serve(80);
    await eventually('the other answers', () => one.pings('10.0.1.12'));
    expect(await one.reaches('10.0.1.12', 80)).toBe(true);
  });

  it('reach each other by IPv6', async () => {
    const subnet = cloud.subnetSpec('2001:db8::/64', { gatewayIp: '2001:db8::1' });
    network = cloud.networkSpec(subnet);
    await test.dataPlane.ensureNetwork(network);
    const web = cloud.tcp(80);
    await test.dataPlane.ensureSecurityGroup({
      ...group,
      rules: [...group.rules, { ...web, ethertype: 'IPv6' }],
    });
    const [one, other] = [await onNetwork('2001:db8::11'), await onNetwork('2001:db8::12')];
    await other.serve(80);
    await eventually('the other answers', () => one.reaches('2001:db8::12', 80));
  });

  it('do not reach a port of another network with the same addresses', async () => {
    const [one, other] = [await onNetwork('10.0.1.11'), await onNetwork('10.0.1.12')];
    const elsewhere = cloud.networkSpec(cloud.subnetSpec('10.0.1.0/24'));
    await test.dataPlane.ensureNetwork(elsewhere);
    const securityGroups = [group.id];
    const port = cloud.portSpec(elsewhere, ['10.0.1.13'], { securityGroups });
    const stranger = await cloud.guestOn(test, port);
    await other.serve(80);
    await eventually('the other answers', () => one.reaches('10.0.1.12', 80));
    expect(await stranger.pings('10.0.1.12')).toBe(false);
    expect(await stranger.reaches('10.0.1.12', 80)).toBe(false);
    expect(await one.pings('10.0.1.13')).toBe(false);
  });

  it('cannot send from another address', async () => {
    const [one, other] = [await onNetwork('10.0.1.11'), await onNetwork('10.0.1.12')];
    await eventually('the other answers', () => one.pings('10.0.1.12'));
    await one.ip('addr', 'flush', 'dev', 'eth0');
    await one.hasAddress('10.0.1.99/24');
    expect(await one.pings('10.0.1.12')).toBe(false);
    expect(await other.pings('10.0.1.99')).toBe(false);
  });
});

/** As nodes of a cluster carry the packets of their pods, without a tunnel. */
describe('addresses behind ports', () => {
  const node = async (address: string, addressPairs: readonly string[]): Promise<TestGuest> => {
    const port = cloud.portSpec(network, [address], { securityGroups: [group.id] });
    const { macAddress } = port;
    const pairs = addressPairs.map((one) => ({ address: one, macAddress }));
    return cloud.guestOn(test, { ...port, addressPairs: pairs });
  };

  /** Gives a node a pod, and a route to the other's; it sends from its pod. */
  const carry = async (
    guest: TestGuest,
    pod: string,
    others: string,
    by: string,
  ): Promise<void> => {
    await guest.hasAddress(`${pod}/32`);
    await guest.ip('route', 'add', others, 'via', by, 'src', pod);
  };

  const pods = cloud.rule({ remotePrefixes: ['10.100.0.0/16'] });

  it('are reachable if both ports have them as allowed address pairs and a rule permits it', async () => {
    await test.dataPlane.ensureSecurityGroup({ ...cloud.groupSpec(pods), id: group.id });
    const one = await node('10.0.1.11', ['10.100.0.0/16']);
    const other = await node('10.0.1.12', ['10.100.0.0/16']);
    await carry(one, '10.100.1.2', '10.100.2.0/24', '10.0.1.12');
    await carry(other, '10.100.2.2', '10.100.1.0/24', '10.0.1.11');
    await other.serve(80);
    await eventually('the other pod answers', () => one.reaches('10.100.2.2', 80));
    expect(await other.pings('10.100.1.2')).toBe(true);
    // The rule is for pods, not for the nodes themselves.
    expect(await one.pings('10.0.1.12')).toBe(false);
  });

  it('are unreachable if only one of the ports has them', async () => {
    await test.dataPlane.ensureSecurityGroup({ ...group, rules: [...group.rules, pods] });
    const one = await node('10.0.1.11', ['10.100.0.0/16']);
    const other = await node('10.0.1.12', []);
    await carry(one, '10.100.1.2', '10.100.2.0/24', '10.0.1.12');
    await carry(other, '10.100.2.2', '10.100.1.0/24', '10.0.1.11');
    await eventually('the nodes reach each other', () => other.pings('10.0.1.11'));
    expect(await one.pings('10.100.2.2')).toBe(false);
    expect(await other.pings('10.100.1.2')).toBe(false);
  });
});

describe('a security group', () => {
  it('opens a port, and closes it', async () => {
    const [one, other] = [await onNetwork('10.0.1.11'), await onNetwork('10.0.1.12')];
    await other.serve(81);
    await eventually('the other answers', () => one.pings('10.0.1.12'));
    expect(await one.reaches('10.0.1.12', 81)).toBe(false);
    const opened = { ...group, rules: [...group.rules, cloud.tcp(81)] };
    await test.dataPlane.ensureSecurityGroup(opened);
    await eventually('the port is open', () => one.reaches('10.0.1.12', 81));
    await test.dataPlane.ensureSecurityGroup(group);
    await eventually('the port is closed', async () => !(await one.reaches('10.0.1.12', 81)));
  });

  it('lets in members of a remote group only', async () => {
    const friends = cloud.groupSpec();
    await test.dataPlane.ensureSecurityGroup(friends);
    const closed = cloud.groupSpec(cloud.rule({ remoteGroupId: friends.id }));
    await test.dataPlane.ensureSecurityGroup(closed);
    const inside = await onNetwork('10.0.1.11', [closed.id]);
    const friend = await onNetwork('10.0.1.12', [friends.id]);
    const stranger = await onNetwork('10.0.1.13');
    await inside.serve(80);
    await eventually('the friend is let in', () => friend.reaches('10.0.1.11', 80));
    expect(await stranger.reaches('10.0.1.11', 80)).toBe(false);
    expect(await stranger.pings('10.0.1.11')).toBe(false);
  });

  it('lets in nothing for a port without groups', async () => {
    const [one, other] = [await onNetwork('10.0.1.11'), await onNetwork('10.0.1.12', [])];
    await other.serve(80);
    expect(await one.pings('10.0.1.12')).toBe(false);
    expect(await other.pings('10.0.1.11')).toBe(false);
  });
});

describe('DHCP', () => {
  it('tells a port its address and gateway', async () => {
    const hostRoutes = [{ destination: '192.0.2.0/24', nexthop: '10.0.1.7' }];
    const subnet = { ...network.subnets[0], dnsNameservers: ['192.0.2.53'], hostRoutes };
    network = { ...network, dnsDomain: 'cloud.test.', subnets: [subnet as never] };
    await test.dataPlane.ensureNetwork(network);
    const port = cloud.portSpec(network, ['10.0.1.11'], { securityGroups: [group.id] });
    await test.dataPlane.ensurePort(port);
    const guest = await test.plug(port);
    let offer: object = {};
    await eventually('DHCP answers', async () => {
      offer = await guest.dhcp();
      return Object.keys(offer).length > 0;
    });
    expect(offer).toEqual({
      address: '10.0.1.11',
      netmask: '255.255.255.0',
      router: '10.0.1.1',
      nameServers: '192.0.2.53',
      domain: 'cloud.test',
      mtu: 1442,
      routes: '24.192.0.2.10.0.1.7.0.10.0.1.1',
    });
  });

  it('does not answer if the subnet has no DHCP, also for existing ports', async () => {
    const port = cloud.portSpec(network, ['10.0.1.11'], { securityGroups: [group.id] });
    await test.dataPlane.ensurePort(port);
    const guest = await test.plug(port);
    await eventually('DHCP answers', async () => Object.keys(await guest.dhcp()).length > 0);
    const subnets = network.subnets.map((subnet) => ({ ...subnet, enableDhcp: false }));
    await test.dataPlane.ensureNetwork({ ...network, subnets });
    await eventually('DHCP is silent', async () => Object.keys(await guest.dhcp()).length === 0);
  });
});
