/** Public source: Networking API reference, "Networks". */
import { attribute, computed, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import {
  flag,
  integer,
  listOf,
  oneOf,
  orNull,
  text,
  uuid,
} from '@cumulet/common/resources/value-type';
import { dnsDomain } from '../addresses/dns-names.js';
import { zoneAttributes } from '../availability-zones/zones.js';
import { defineResource, neither } from '../resource/resource.js';
import { sharedByPolicies } from '../rbac-policies/sharing.js';
import type { NetworkState } from './network.states.js';

/** How packets travel between hosts. */
export const NETWORK_TYPES = ['geneve', 'flat', 'vlan', 'local'] as const;
export type NetworkType = (typeof NETWORK_TYPES)[number];

const MAX_MTU = 65_535;

/** The address scope of its subnet pools of one IP version. */
const scopeOf =
  (version: 4 | 6) =>
  (network: string): string =>
    `SELECT address_scope_id
       FROM subnets JOIN subnetpools ON subnetpools.id = subnetpool_id
      WHERE network_id = ${network}.id AND subnets.ip_version = ${version}
        AND address_scope_id IS NOT NULL LIMIT 1`;

const provider = { given: 'at-creation', writers: 'admin', readers: 'admin' } as const;

export const networkResource = defineResource({
  singular: 'network',
  plural: 'networks',
  attributes: {
    adminStateUp: attribute(flag, {
      about: 'Whether the network is administratively up.',
      default: true,
    }),
    status: computed(text(), {
      about: 'The status: ACTIVE, or ERROR if the data plane cannot apply the network.',
      from: ({ state }: { readonly state: NetworkState }) =>
        state === 'error' ? 'ERROR' : 'ACTIVE',
      filter: ([...values]) => {
        const isAsked = (status: string): string => String(values.includes(status));
        return (_, column) =>
          `CASE ${column('state')} WHEN 'error' THEN ${isAsked('ERROR')} ELSE ${isAsked('ACTIVE')} END`;
      },
      sort: false,
    }),
    shared: attribute(flag, {
      about:
        "Whether the network is shared with every project, or with the caller's project by an RBAC policy.",
      default: false,
      writers: 'admin',
      ...sharedByPolicies,
    }),
    isExternal: attribute(flag, {
      about: 'Whether the network is external: routers of any project may have a gateway on it.',
      default: false,
      wire: 'router:external',
      writers: 'admin',
    }),
    isDefault: attribute(flag, {
      about: 'Whether it is the default external network, which auto-allocated topologies use.',
      default: false,
      writers: 'admin',
    }),
    mtu: attribute(integer(0, MAX_MTU), {
      about: 'The maximum size of a packet in bytes; 0 selects the default.',
    }),
    portSecurityEnabled: attribute(flag, {
      about: 'Whether new ports may send only from their own addresses, unless they say otherwise.',
      default: true,
    }),
    dnsDomain: attribute(dnsDomain, {
      about: 'The DNS domain of its ports.',
      default: '',
    }),
    ...zoneAttributes,
    subnets: shownOnly(listOf(uuid), {
      about: 'The IDs of the subnets, the oldest first.',
      virtual: (network) =>
        `SELECT COALESCE(array_agg(id::text ORDER BY created_at, id), '{}')
           FROM subnets WHERE network_id = ${network}.id`,
      ...neither,
    }),
    qosPolicyId: attribute(orNull(uuid), {
      about: "The ID of the QoS policy of its ports; by default, the project's default policy.",
      default: null,
    }),
    ipv4AddressScope: shownOnly(orNull(uuid), {
      about: 'The ID of the address scope of its IPv4 subnets.',
      virtual: scopeOf(4),
      ...neither,
    }),
    ipv6AddressScope: shownOnly(orNull(uuid), {
      about: 'The ID of the address scope of its IPv6 subnets.',
      virtual: scopeOf(6),
      ...neither,
    }),
    networkType: attribute(oneOf(NETWORK_TYPES), {
      about: 'The type of the network: geneve, flat, vlan or local.',
      wire: 'provider:network_type',
      ...provider,
    }),
    physicalNetwork: attribute(orNull(text(64)), {
      about: 'The physical network that it is on.',
      wire: 'provider:physical_network',
      ...provider,
    }),
    segmentationId: attribute(orNull(integer(0, 16_777_215)), {
      about: 'The VLAN ID or tunnel ID.',
      wire: 'provider:segmentation_id',
      ...provider,
    }),
  },
});

export type NetworkAttributes = typeof networkResource.attributes;
export type NewNetwork = NewBody<NetworkAttributes>;
export type NetworkChange = ChangeBody<NetworkAttributes>;
