/** Public source: Networking API reference, "Ports". */
import { attribute, computed, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import * as types from '@cumulet/common/resources/value-type';
import { isUuid } from '@cumulet/common/context/ids';
import type { Condition } from '@cumulet/common/tables/condition';
import { Refusal, shortened } from '@cumulet/common/resources/value-type';
import { formatIp, parseIp } from '@cumulet/common/addresses/ip-address';
import { givenAddressOrSubnet, ipAddress, macAddress } from '../addresses/address-types.js';
import { hostName } from '../addresses/dns-names.js';
import { defineResource, neither } from '../resource/resource.js';
import { dhcpOption } from './port-options.js';
import { dnsAssignmentOf, NAMESPACES, NETWORK_NAMESPACE, statusOf, TAP_UID } from './port.view.js';
import { vifDetailsOf, vifTypeOf, type FixedIp } from './port.view.js';
import { FLOATING_IP_OWNER } from './device-owner.js';

// Filters by values that are not columns. Public source: Networking API reference, "List ports".

/** `status=ACTIVE`, as in `statusOf`. */
function statusFilter(values: readonly string[]): Condition {
  return (bind, column) => `CASE
      WHEN ${column('deviceOwner')} = ${bind(FLOATING_IP_OWNER)} THEN 'N/A'
      WHEN ${column('state')} IN ('active', 'updating') THEN 'ACTIVE'
      WHEN ${column('state')} = 'building' AND ${column('hostId')} <> '' THEN 'BUILD'
      WHEN ${column('state')} = 'error' THEN 'ERROR'
      ELSE 'DOWN' END = ANY(${bind(values)})`;
}

/**
 * `fixed_ips=ip_address=10.0.0.3` or `subnet_id=…`, or several separated by commas, of which one of
 * each kind must match.
 */
function fixedIpsFilter(values: readonly string[]): Condition {
  const parts = values.flatMap((value) => value.split(','));
  const asked = parts.map((value) => {
    const [name = '', ...rest] = value.split('=');
    return { name, value: rest.join('=') };
  });
  const odd = asked.find(({ name }) => !Object.hasOwn(CONDITIONS, name));
  if (odd)
    throw new Refusal(
      `'${shortened(odd.name)}' is not one of ${Object.keys(CONDITIONS).join(', ')}`,
    );
  return (bind, column) => {
    const kinds = Object.entries(CONDITIONS).flatMap(([kind, { sql, read }]) => {
      const given = asked.filter(({ name }) => name === kind);
      if (given.length === 0) return [];
      const known = given.map((one) => read(one.value)).filter((one) => one !== undefined);
      return [`${column('id')} IN (SELECT port_id FROM ip_allocations WHERE ${sql(bind(known))})`];
    });
    return kinds.length > 0 ? kinds.join(' AND ') : 'true';
  };
}

function securityGroupsFilter(values: readonly string[]): Condition {
  return (bind, column) => `${column('id')} IN (
    SELECT port_id FROM port_security_groups
     WHERE security_group_id = ANY(${bind(values.filter(isUuid))}::uuid[]))`;
}

interface FixedIpCondition {
  readonly sql: (values: string) => string;
  readonly read: (text: string) => string | undefined;
}

const CONDITIONS: Readonly<Record<string, FixedIpCondition>> = {
  ip_address: {
    sql: (values) => `address = ANY(${values}::inet[])`,
    read: (text) => {
      const ip = parseIp(text);
      return ip && formatIp(ip);
    },
  },
  ip_address_substr: {
    sql: (values) =>
      `EXISTS (SELECT FROM unnest(${values}::text[]) AS part WHERE strpos(host(address), part) > 0)`,
    read: (text) => text,
  },
  subnet_id: {
    sql: (values) => `subnet_id = ANY(${values}::uuid[])`,
    read: (text) => (isUuid(text) ? text : undefined),
  },
};

export type { FixedIp };

export interface AskedFixedIp {
  readonly subnet_id?: string;
  readonly ip_address?: string;
}

export interface AskedPair {
  readonly ip_address: string;
  readonly mac_address?: string;
}

const { flag, listOf, oneOf, orNull, setOf, text, uuid, objectOf } = types;

const fixedIp = objectOf<Required<AskedFixedIp>>({ subnet_id: uuid, ip_address: ipAddress }, [
  'subnet_id',
  'ip_address',
]) as types.ValueType<AskedFixedIp>;

const pair = objectOf<Required<AskedPair>>(
  { ip_address: givenAddressOrSubnet, mac_address: macAddress },
  ['mac_address'],
) as types.ValueType<AskedPair>;

/** Any object; the keys that this service uses are validated. */
export const profile = types.valueType<Record<string, unknown>>(Object, (value) => {
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw new types.Refusal(`'${types.shortened(value)}' is not a dictionary`);
  if (JSON.stringify(value).length > 4095)
    throw new types.Refusal('it exceeds maximum length of 4095');
  const { [TAP_UID]: uid, [NETWORK_NAMESPACE]: where } = value as Record<string, unknown>;
  if (uid !== undefined && !isUserNumber(uid))
    throw new types.Refusal(`'${types.shortened(uid)}' is not the UID of an unprivileged user`);
  if (where !== undefined && !NAMESPACES.some((one) => one === where))
    throw new types.Refusal(`'${types.shortened(where)}' is not one of ${NAMESPACES.join(', ')}`);
  return value as Record<string, unknown>;
});

/** 4294967295 is Linux's `(uid_t) -1`, which stands for no user. */
function isUserNumber(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) < 0xffffffff;
}

export const VNIC_TYPES = ['normal'] as const;

/** In Neutron's order (`db/models_v2.py`): by address as text, then by subnet. */
const fixedIpsOf = (port: string): string =>
  `SELECT COALESCE(jsonb_agg(jsonb_build_object(
            'subnet_id', subnet_id, 'ip_address', host(address))
          ORDER BY host(address) COLLATE "C", subnet_id), '[]')
     FROM ip_allocations WHERE port_id = ${port}.id`;

const groupsOf = (port: string): string =>
  `SELECT COALESCE(array_agg(security_group_id::text ORDER BY position), '{}')
     FROM port_security_groups WHERE port_id = ${port}.id`;

/** The trunk whose parent port it is, in wire form. */
const trunkOf = (port: string): string =>
  `SELECT jsonb_build_object('trunk_id', trunks.id, 'sub_ports', (
            SELECT COALESCE(jsonb_agg(jsonb_build_object(
                     'port_id', sub.port_id, 'segmentation_type', sub.segmentation_type,
                     'segmentation_id', sub.segmentation_id, 'mac_address', one.mac_address)
                     ORDER BY sub.segmentation_id), '[]')
              FROM subports AS sub JOIN ports AS one ON one.id = sub.port_id
             WHERE sub.trunk_id = trunks.id))
     FROM trunks WHERE trunks.port_id = ${port}.id`;

export const portResource = defineResource({
  singular: 'port',
  plural: 'ports',
  attributes: {
    networkId: attribute(uuid, {
      about: 'The ID of the network.',
      required: true,
      given: 'at-creation',
    }),
    adminStateUp: attribute(flag, {
      about: 'Whether the port is administratively up.',
      default: true,
    }),
    status: computed(text(), {
      about:
        'The status: ACTIVE while it carries packets, BUILD until then, DOWN if it is unbound or disabled.',
      from: statusOf,
      filter: statusFilter,
      sort: false,
    }),
    macAddress: attribute(macAddress, {
      about: 'The MAC address; by default, any that is free.',
      writers: 'parent-owner',
    }),
    fixedIps: attribute(listOf(fixedIp), {
      about:
        'The fixed IP addresses, each on a subnet of the network; by default, one of each IP version.',
      virtual: fixedIpsOf,
      filter: fixedIpsFilter,
      sort: false,
    }),
    deviceId: attribute(text(), {
      about: 'The ID of the device that the port belongs to, such as a server.',
      default: '',
    }),
    deviceOwner: attribute(text(), {
      about: 'The type of that device, such as `compute:nova`.',
      default: '',
    }),
    portSecurityEnabled: attribute(flag, {
      about: 'Whether it may send only from its own addresses; by default, as for its network.',
      writers: 'parent-owner',
    }),
    securityGroups: attribute(setOf(uuid), {
      about: "The IDs of its security groups; by default, the project's default group.",
      virtual: groupsOf,
      filter: securityGroupsFilter,
      sort: false,
    }),
    allowedAddressPairs: attribute(listOf(pair), {
      about: 'Further addresses that it may send from.',
      default: [],
      writers: 'parent-owner',
      ...neither,
    }),
    extraDhcpOpts: attribute(listOf(dhcpOption), {
      about: 'Extra DHCP options for the port.',
      default: [],
      ...neither,
    }),
    qosPolicyId: attribute(orNull(uuid), {
      about: 'The ID of its QoS policy; by default, that of the network applies.',
      default: null,
    }),
    qosNetworkPolicyId: shownOnly(orNull(uuid), {
      about: "The ID of the network's QoS policy.",
      virtual: (port) => `SELECT qos_policy_id FROM networks WHERE id = ${port}.network_id`,
      ...neither,
    }),
    dnsName: attribute(hostName, { about: 'The DNS name on its network.', default: '' }),
    dnsAssignment: computed(types.json<object[]>([Object]), {
      about: 'The DNS names of its addresses.',
      from: dnsAssignmentOf,
      ...neither,
    }),
    trunkDetails: shownOnly(types.json<object | null>(), {
      about: 'The trunk whose parent port it is, with its subports; absent for other ports.',
      from: ({ trunkDetails }: { readonly trunkDetails: object | null }) =>
        trunkDetails ?? undefined,
      virtual: trunkOf,
      ...neither,
    }),
    vnicType: attribute(oneOf(VNIC_TYPES), {
      about: 'The VNIC type: `normal`, through the virtual switch.',
      default: 'normal',
      wire: 'binding:vnic_type',
    }),
    hostId: attribute(text(), {
      about: 'The host that it is bound to; empty if it is unbound.',
      default: '',
      wire: 'binding:host_id',
      writers: 'service',
      readers: 'service',
    }),
    bindingProfile: attribute(profile, {
      about: 'Free-form data of the program that plugs the port in.',
      column: { default: () => `'{}'` },
      wire: 'binding:profile',
      writers: 'service',
      readers: 'service',
      ...neither,
    }),
    bindingVifType: computed(text(), {
      wire: 'binding:vif_type',
      about: "The VIF type: ovs, or user for QEMU's user-mode network; unbound, or binding_failed.",
      from: vifTypeOf,
      readers: 'service',
      ...neither,
    }),
    bindingVifDetails: computed(types.json<object>(), {
      wire: 'binding:vif_details',
      about: 'Details of the VIF, or the reason why binding failed.',
      from: vifDetailsOf,
      readers: 'service',
      ...neither,
    }),
  },
});

export type PortAttributes = typeof portResource.attributes;
export type NewPort = NewBody<PortAttributes>;
export type PortChange = ChangeBody<PortAttributes>;
