/** What a network is to its clients. Public source: Networking API reference, "Networks". */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
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
import { NETWORK_TYPES, type Network } from './network.entity.js';

const MAX_MTU = 65_535;

export const networkResource = defineResource({
  singular: 'network',
  plural: 'networks',
  attributes: {
    adminStateUp: attribute(flag, { about: 'Whether it carries packets.', default: true }),
    status: shownOnly(text(), {
      about: 'ACTIVE, or ERROR if the data plane would not have it.',
      from: ({ state }: Network) => (state === 'error' ? 'ERROR' : 'ACTIVE'),
      filter: ([...values]) => {
        const isAsked = (status: string): string => String(values.includes(status));
        return (_, column) =>
          `CASE ${column('state')} WHEN 'error' THEN ${isAsked('ERROR')} ELSE ${isAsked('ACTIVE')} END`;
      },
      sort: false,
    }),
    shared: attribute(flag, {
      about: "Whether every project may use it, or at least the caller's by a policy.",
      default: false,
      writers: 'admin',
      ...sharedByPolicies,
    }),
    isExternal: attribute(flag, {
      about: 'Whether routers of every project may have a gateway on it.',
      default: false,
      wire: 'router:external',
      writers: 'admin',
    }),
    isDefault: attribute(flag, {
      about: 'Whether it is the external network that topologies are made with.',
      default: false,
      writers: 'admin',
    }),
    mtu: attribute(integer(0, MAX_MTU), {
      about: 'Bytes that a packet may have; 0 is the default.',
    }),
    portSecurityEnabled: attribute(flag, {
      about: 'Whether its ports are held to their addresses unless they say otherwise.',
      default: true,
    }),
    dnsDomain: attribute(dnsDomain, {
      about: 'The domain of the names of its ports.',
      default: '',
    }),
    ...zoneAttributes,
    subnets: shownOnly(listOf(uuid), {
      about: 'The ids of its subnets.',
      ...neither,
    }),
    qosPolicyId: attribute(orNull(uuid), {
      about: "The QoS policy of its ports' traffic; by default that of its project.",
      default: null,
    }),
    ipv4AddressScope: shownOnly(orNull(uuid), {
      about: 'The address scope of its IPv4 subnets.',
      ...neither,
    }),
    ipv6AddressScope: shownOnly(orNull(uuid), {
      about: 'The address scope of its IPv6 subnets.',
      ...neither,
    }),
    networkType: attribute(oneOf(NETWORK_TYPES), {
      about: 'How its packets travel between hosts.',
      given: 'at-creation',
      wire: 'provider:network_type',
      writers: 'admin',
      readers: 'admin',
    }),
    physicalNetwork: attribute(orNull(text(64)), {
      about: 'The physical network that it is on.',
      given: 'at-creation',
      wire: 'provider:physical_network',
      writers: 'admin',
      readers: 'admin',
    }),
    segmentationId: attribute(orNull(integer(0, 16_777_215)), {
      about: 'Its number there: of the VLAN, or of the tunnel.',
      given: 'at-creation',
      wire: 'provider:segmentation_id',
      writers: 'admin',
      readers: 'admin',
    }),
  },
});

export type NetworkAttributes = typeof networkResource.attributes;
export type NewNetwork = NewBody<NetworkAttributes>;
export type NetworkChange = ChangeBody<NetworkAttributes>;
