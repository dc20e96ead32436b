/** Public source: Networking API reference, "Subnets". */
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
/** Neutron accepts `prefix_delegation` here, which is not offered. */
const poolId = orNull({
  ...uuid,
  read: (value) => {
    if (value === 'prefix_delegation')
      throw new Refusal(`'${value}': prefix delegation is not supported`);
    return uuid.read(value);
  },
});

export const subnetResource = defineResource({
  singular: 'subnet',
  plural: 'subnets',
  filters: { shared: sharedFilter('networkId') },
  attributes: {
    networkId: attribute(uuid, {
      about: 'The ID of the network.',
      required: true,
      given: 'at-creation',
    }),
    ipVersion: attribute(oneOf([4, 6]), {
      about: 'The IP version: 4 or 6.',
      required: true,
      given: 'at-creation',
    }),
    cidr: attribute(ipSubnet, {
      about: 'The addresses of the subnet, as a CIDR.',
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
      about: 'The DNS servers that DHCP announces.',
      default: [],
      ...neither,
    }),
    hostRoutes: attribute(setOf(route), {
      about: 'The routes that DHCP announces.',
      default: [],
      ...neither,
    }),
    enableDhcp: attribute(flag, {
      about: 'Whether DHCP is enabled.',
      default: true,
    }),
    ipv6RaMode: attribute(orNull(oneOf(IPV6_MODES)), {
      about: 'The mode of router advertisements.',
      given: 'at-creation',
    }),
    ipv6AddressMode: attribute(orNull(oneOf(IPV6_MODES)), {
      about: 'The mode of address assignment.',
      given: 'at-creation',
    }),
    serviceTypes: attribute(setOf(text()), {
      about: 'The device owners whose ports get addresses here; empty for any.',
      default: [],
      column: NO_TEXTS,
      ...neither,
    }),
    subnetpoolId: attribute(poolId, {
      about: 'The ID of the subnet pool.',
      given: 'at-creation',
    }),
    prefixlen: givenOnly(integer(0, 128), {
      about: 'The prefix length to allocate from the pool; by default, that of the pool.',
    }),
    useDefaultSubnetpool: givenOnly(flag, {
      about: 'Whether to allocate from the default pool of its IP version.',
      default: false,
    }),
    isExternal: shownOnly(flag, {
      about: 'Whether the network is external.',
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
      about: 'Always null: a network has one segment.',
      from: () => null,
      ...neither,
    }),
  },
});

export type SubnetAttributes = typeof subnetResource.attributes;
export type NewSubnet = NewBody<SubnetAttributes>;
export type SubnetChange = ChangeBody<SubnetAttributes>;
