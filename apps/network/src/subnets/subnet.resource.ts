/** What a subnet is to its clients. Public source: Networking API reference, "Subnets". */
import { attribute, givenOnly, shownOnly } from '@cumulet/common/resources/attribute';
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
import { defineResource, neither } from '../resource/resource.js';
import { sharedFilter } from '../rbac-policies/sharing.js';
import type { AllocationPool } from './allocation-pools.js';
import { IPV6_MODES, type HostRoute } from './subnet.entity.js';

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
      about: 'The network that it is on.',
      required: true,
      given: 'at-creation',
    }),
    ipVersion: attribute(oneOf([4, 6]), {
      about: 'Of its addresses: 4 or 6.',
      required: true,
      given: 'at-creation',
    }),
    cidr: attribute(ipSubnet, { about: 'All of its addresses.', given: 'at-creation' }),
    gatewayIp: attribute(orNull(ipAddress), {
      about: 'Where its hosts send what is for elsewhere; by default its first address.',
    }),
    allocationPools: attribute(listOf(pool), {
      about: 'The addresses that ports are given; by default all but the gateway.',
      ...neither,
    }),
    dnsNameservers: attribute(setOf(givenAddress), {
      about: 'The name servers that its hosts are told.',
      default: [],
      ...neither,
    }),
    hostRoutes: attribute(setOf(route), {
      about: 'The routes that its hosts are told.',
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
      about: 'How its hosts get their addresses.',
      given: 'at-creation',
    }),
    serviceTypes: attribute(setOf(text()), {
      about: 'Owners of the ports that get addresses here; of any if there are none.',
      default: [],
      ...neither,
    }),
    subnetpoolId: attribute(poolId, {
      about: 'The pool that its addresses are of.',
      given: 'at-creation',
    }),
    prefixlen: givenOnly(integer(0, 128), {
      about: 'The length of the prefix that the pool gives it; as the pool says by default.',
    }),
    useDefaultSubnetpool: givenOnly(flag, {
      about: 'Whether its addresses are of the default pool of its version.',
      default: false,
    }),
    isExternal: shownOnly(flag, {
      about: 'Whether it is on an external network.',
      wire: 'router:external',
      filter: (values) => {
        const asked = values.map((one) => flag.fromText(one));
        return (bind, column) => `EXISTS (SELECT FROM networks WHERE is_external
            AND networks.id = ${column('networkId')}) = ANY(${bind(asked)})`;
      },
      sort: false,
    }),
    segmentId: shownOnly(orNull(uuid), {
      about: 'Null: a network has one segment.',
      from: () => null,
      ...neither,
    }),
  },
});

export type SubnetAttributes = typeof subnetResource.attributes;
export type NewSubnet = NewBody<SubnetAttributes>;
export type SubnetChange = ChangeBody<SubnetAttributes>;
