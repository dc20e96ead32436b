import { describe, expect, it } from '@jest/globals';
import type { NetworkSpec, PortSpec, SubnetSpec } from '../../data-plane.js';
import { networkSpec } from '../test-cloud.fixture.js';
import { dhcpRows, portDhcp, unsupportedDomain, unsupportedOptions } from './dhcp-rows.js';

const SUBNET: SubnetSpec = {
  id: 'four',
  cidr: '10.0.0.0/24',
  gatewayIp: '10.0.0.1',
  enableDhcp: true,
  dnsNameservers: [],
  hostRoutes: [],
  ipv6RaMode: null,
  ipv6AddressMode: null,
};
const SIX: SubnetSpec = {
  ...SUBNET,
  id: 'six',
  cidr: '2001:db8::/64',
  gatewayIp: '2001:db8::1',
};

const networkOf = (...subnets: readonly SubnetSpec[]): NetworkSpec => ({
  ...networkSpec(...subnets),
  id: 'network',
  mtu: 1400,
});

const portOf = (dhcpOptions: PortSpec['dhcpOptions'], subnetIds = ['four']): PortSpec => ({
  id: 'port',
  networkId: 'network',
  macAddress: 'fa:16:3e:00:00:01',
  host: null,
  tap: null,
  prepared: [],
  namespace: null,
  isVip: false,
  deviceId: 'server',
  projectId: 'project',
  adminStateUp: true,
  portSecurityEnabled: true,
  securityGroups: [],
  addressPairs: [],
  addresses: subnetIds.map((subnetId) => ({ subnetId, address: '10.0.0.5' })),
  dhcpOptions,
  parent: null,
  qos: { ingress: null, egress: null, dscpMark: null },
});

const optionsOf = (subnet: SubnetSpec) =>
  dhcpRows(networkOf(subnet)).map(({ row }) => row['options'])[0];

describe('the rows of subnets', () => {
  it('have the options that clients need', () => {
    expect(optionsOf(SUBNET)).toMatchObject({
      server_id: '10.0.0.1',
      router: '10.0.0.1',
      mtu: '1400',
      lease_time: '43200',
    });
  });

  it('contain no router if there is none', () => {
    expect(optionsOf({ ...SUBNET, gatewayIp: null })).not.toHaveProperty('router');
  });

  it('route to metadata by its port, with the default route in the same option', () => {
    const port = { portId: 'metadata', macAddress: 'fa:16:3e:00:00:02' };
    const addresses = [{ subnetId: 'four', address: '10.0.0.2', cidr: '10.0.0.0/24' }];
    const subnet = {
      ...SUBNET,
      hostRoutes: [{ destination: '192.0.2.0/24', nexthop: '10.0.0.7' }],
    };
    const told = (changes: Partial<SubnetSpec>) =>
      dhcpRows({
        ...networkOf({ ...subnet, ...changes }),
        metadataPort: { ...port, addresses },
      }).map(({ row }) => row['options'])[0];
    expect(told({})).toMatchObject({
      classless_static_route:
        '{169.254.169.254/32,10.0.0.2, 192.0.2.0/24,10.0.0.7, 0.0.0.0/0,10.0.0.1}',
    });
    expect(told({ gatewayIp: null, hostRoutes: [] })).toMatchObject({
      server_id: '10.0.0.2',
      classless_static_route: '{169.254.169.254/32,10.0.0.2}',
    });
    expect(told({ id: 'other' })).toMatchObject({
      classless_static_route: '{192.0.2.0/24,10.0.0.7, 0.0.0.0/0,10.0.0.1}',
    });
  });

  it('have the domain as a string, or leave it out', () => {
    const six = { ...SIX, ipv6AddressMode: 'dhcpv6-stateful' };
    const told = (dnsDomain: string) => {
      const network = { ...networkOf(SUBNET, six), dnsDomain };
      const rows = dhcpRows(network).map(({ row }) => row['options']);
      return [...rows, unsupportedDomain(network)];
    };
    expect(told('a.example.')).toMatchObject([
      { domain_name: '"a.example"' },
      { domain_search: '"a.example"' },
      [],
    ]);
    const [four, other, untold] = told('x"); output; ("');
    expect(four).toHaveProperty('domain_name', String.raw`"x\"); output; (\""`);
    expect(other).not.toHaveProperty('domain_search');
    expect(untold).toEqual(['DHCP of IPv6 does not support this domain']);
  });

  it('do not exist without DHCP, nor for IPv6 addresses that hosts derive themselves', () => {
    expect(optionsOf({ ...SUBNET, enableDhcp: false })).toBeUndefined();
    expect(optionsOf({ ...SIX, ipv6AddressMode: 'slaac' })).toBeUndefined();
  });

  it('of DHCPv6 say whether it assigns addresses', () => {
    const stateful = { ...SIX, ipv6AddressMode: 'dhcpv6-stateful' };
    expect(optionsOf(stateful)).not.toHaveProperty('dhcpv6_stateless');
    const stateless = { ...SIX, ipv6AddressMode: 'dhcpv6-stateless' };
    expect(optionsOf({ ...stateless, dnsNameservers: ['2001:db8::53'] })).toMatchObject({
      dhcpv6_stateless: 'true',
      dns_server: '2001:db8::53',
    });
  });
});

describe('a port', () => {
  it('is answered for the first address of each version', () => {
    const network = networkOf(SUBNET, { ...SIX, ipv6AddressMode: 'dhcpv6-stateful' });
    expect(portDhcp(portOf([], ['six', 'four']), network)).toEqual({
      rows: [],
      dhcpv4_options: ['four'],
      dhcpv6_options: ['six'],
    });
  });

  it('has a row for its own options, which override those of the subnet', () => {
    const own = [
      { name: 'mtu', value: '1300', ipVersion: 4 },
      { name: 'bootfile-name', value: 'boot', ipVersion: 4 },
      { name: 'unknown-to-ovn', value: '1', ipVersion: 4 },
    ];
    const { rows, dhcpv4_options } = portDhcp(portOf(own), networkOf(SUBNET));
    expect(rows.map(({ id }) => id)).toEqual(dhcpv4_options);
    expect(rows[0]?.row['options']).toMatchObject({
      mtu: '1300',
      bootfile_name: '"boot"',
      router: '10.0.0.1',
    });
    expect(rows[0]?.row['options']).not.toHaveProperty('unknown-to-ovn');
  });

  it('leaves out a value that an earlier version accepted, and is answered all the same', () => {
    const old = [
      { name: 'mtu', value: '1400); output; ', ipVersion: 4 },
      { name: 'bootfile-name', value: 'a\n', ipVersion: 4 },
      { name: 'tftp-server', value: 'a"b', ipVersion: 4 },
      { name: 'constructor', value: 'x', ipVersion: 4 },
    ];
    const port = portOf(old);
    const [row] = portDhcp(port, networkOf(SUBNET)).rows;
    expect(row?.row['options']).toMatchObject({ mtu: '1400', tftp_server: String.raw`"a\"b"` });
    expect(row?.row['options']).not.toHaveProperty('bootfile_name');
    expect(unsupportedOptions(port)).toEqual([
      'the DHCP option mtu of IPv4 takes an integer from 0 to 65535',
      expect.stringContaining('the DHCP option bootfile-name of IPv4 takes text') as unknown,
    ]);
  });

  it('has no router if the option is empty', () => {
    const none = [{ name: 'router', value: '', ipVersion: 4 }];
    const [row] = portDhcp(portOf(none), networkOf(SUBNET)).rows;
    expect(row?.row['options']).not.toHaveProperty('router');
  });

  it('is not answered if DHCP is disabled for it', () => {
    const off = [{ name: 'dhcp_disabled', value: 'True', ipVersion: 4 }];
    expect(portDhcp(portOf(off), networkOf(SUBNET)).dhcpv4_options).toEqual([]);
  });
});
