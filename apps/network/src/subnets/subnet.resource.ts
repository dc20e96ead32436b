/** What a subnet is to its clients. Public source: Networking API reference, "Subnets". */
import { attribute, computed, givenOnly, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import {
  flag,
  integer,
  listOf,
  objectOf,
  oneOf,
  orNull,
  Refusal,
  setOf,
  text,
  uuid,
} from '@cumulet/common/resources/value-type';
import { givenAddress, givenDestination, ipAddress, ipSubnet } from '../addresses/address-types.js';
import { defineResource, neither, NO_TEXTS } from '../resource/resource.js';
import { sharedFilter } from '../rbac-policies/sharing.js';
import type { AllocationPool } from './allocation-pools.js';

export const IPV6_MODES = ['dhcpv6-stateful', 'dhcpv6-stateless', 'slaac'] as const;
export type Ipv6Mode = (typeof IPV6_MODES)[number];

export interface HostRoute {
  readonly destination: string;
  readonly nexthop: string;
}

const pool = objectOf<AllocationPool>({ start: ipAddress, end: ipAddress });
const route = objectOf<HostRoute>({ destination: givenDestination, nexthop: ipAddress });
/** Delegation of prefixes, which Neutron asks for here by a word, is not offered. */
const poolId = orNull({
  ...uuid,
  read: (value) => {
    if (value === 'prefix_delegation')
      throw new Refusal(`'${value}': prefixes of routers beyond the cloud are not delegated`);
    return uuid.read(value);
  },
});

export const subnetResource = defineResource({
  singular: 'subnet',
  plural: 'subnets',
  filters: { shared: sharedFilter('networkId') },
  attributes: {
    networkId: attribute(uuid, {
      about: 'The network.',
      required: true,
      given: 'at-creation',
    }),
    ipVersion: attribute(oneOf([4, 6]), {
      about: 'The version of its addresses: 4 or 6.',
      required: true,
      given: 'at-creation',
    }),
    cidr: attribute(ipSubnet, {
      about: 'All of its addresses, as a CIDR.',
      given: 'at-creation',
      column: { type: 'cidr' },
    }),
    gatewayIp: attribute(orNull(ipAddress), {
      about: 'The gateway; by default, the first address.',
    }),
    allocationPools: attribute(listOf(pool), {
      about: 'The addresses that ports are given; by default, all but the gateway.',
      ...neither,
    }),
    dnsNameservers: attribute(setOf(givenAddress), {
      about: 'The name servers that hosts are told.',
      default: [],
      ...neither,
    }),
    hostRoutes: attribute(setOf(route), {
      about: 'The routes that hosts are told.',
      default: [],
      ...neither,
    }),
    enableDhcp: attribute(flag, {
      about: 'Whether hosts get their addresses by DHCP.',
      default: true,
    }),
    ipv6RaMode: attribute(orNull(oneOf(IPV6_MODES)), {
      about: 'What router advertisements say of addresses.',
      given: 'at-creation',
    }),
    ipv6AddressMode: attribute(orNull(oneOf(IPV6_MODES)), {
      about: 'How hosts get their addresses.',
      given: 'at-creation',
    }),
    serviceTypes: attribute(setOf(text()), {
      about: 'The owners of ports that get addresses here; where there are none, any.',
      default: [],
      column: NO_TEXTS,
      ...neither,
    }),
    subnetpoolId: attribute(poolId, {
      about: 'The pool that its addresses are from.',
      given: 'at-creation',
    }),
    prefixlen: givenOnly(integer(0, 128), {
      about: 'The length of the prefix that the pool gives it; by default, as the pool says.',
    }),
    useDefaultSubnetpool: givenOnly(flag, {
      about: 'Whether its addresses are from the default pool of its version.',
      default: false,
    }),
    isExternal: shownOnly(flag, {
      about: 'Whether the network is an external one.',
      wire: 'router:external',
      virtual: (subnet) =>
        `SELECT is_external FROM networks WHERE networks.id = ${subnet}.network_id`,
      filter: (values) => {
        const asked = values.map((one) => flag.fromText(one));
        return (bind, column) => `EXISTS (SELECT FROM networks WHERE is_external
            AND networks.id = ${column('networkId')}) = ANY(${bind(asked)})`;
      },
      sort: false,
    }),
    segmentId: computed(orNull(uuid), {
      about: 'Null: a network has one segment.',
      from: () => null,
      ...neither,
    }),
  },
});

export type SubnetAttributes = typeof subnetResource.attributes;
export type NewSubnet = NewBody<SubnetAttributes>;
export type SubnetChange = ChangeBody<SubnetAttributes>;
