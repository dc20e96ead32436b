/** What a port is to its clients. Public source: Networking API reference, "Ports". */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
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
import { NAMESPACES, NETWORK_NAMESPACE, TAP_UID } from './port-spec.js';
import type { Port } from './port.entity.js';
import { dnsAssignmentOf, statusOf, vifDetailsOf, vifTypeOf } from './port.view.js';
import { FLOATING_IP_OWNER } from './device-owner.js';

// Filters of ports that are no column. Public source: Networking API reference, "List ports".

/** `status=ACTIVE`: as `statusOf` says it of a row. */
function statusFilter(values: readonly string[]): Condition {
  return (bind, column) => `CASE
      WHEN ${column('deviceOwner')} = ${bind(FLOATING_IP_OWNER)} THEN 'N/A'
      WHEN ${column('state')} IN ('active', 'updating') THEN 'ACTIVE'
      WHEN ${column('state')} = 'building' AND ${column('hostId')} <> '' THEN 'BUILD'
      WHEN ${column('state')} = 'error' THEN 'ERROR'
      ELSE 'DOWN' END = ANY(${bind(values)})`;
}

/**
 * `fixed_ips=ip_address=10.0.0.3`, or `subnet_id=…`, or several with commas between: one of each
 * kind that is given.
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

/** `security_groups=…`: in any of these. */
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

/** An address, or a subnet to take one from. */
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

/** Anything that a client keeps there, as far as it is an object. */
export const profile = types.valueType<Record<string, unknown>>(Object, (value) => {
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw new types.Refusal(`'${types.shortened(value)}' is not a dictionary`);
  if (JSON.stringify(value).length > 4095)
    throw new types.Refusal('it exceeds maximum length of 4095');
  const { [TAP_UID]: uid, [NETWORK_NAMESPACE]: where } = value as Record<string, unknown>;
  if (uid !== undefined && !isUserNumber(uid))
    throw new types.Refusal(`'${types.shortened(uid)}' is not the number of a user but root`);
  if (where !== undefined && !NAMESPACES.some((one) => one === where))
    throw new types.Refusal(`'${types.shortened(where)}' is not one of ${NAMESPACES.join(', ')}`);
  return value as Record<string, unknown>;
});

/** Linux's `(uid_t) -1` is nobody's. */
function isUserNumber(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) < 0xffffffff;
}

export const VNIC_TYPES = ['normal'] as const;

export const portResource = defineResource({
  singular: 'port',
  plural: 'ports',
  attributes: {
    networkId: attribute(uuid, {
      about: 'The network that it is on.',
      required: true,
      given: 'at-creation',
    }),
    adminStateUp: attribute(flag, { about: 'Whether it carries packets.', default: true }),
    status: shownOnly(text(), {
      about: 'ACTIVE while it carries packets, BUILD until then, DOWN if nobody plugged it in.',
      from: statusOf,
      filter: statusFilter,
      sort: false,
    }),
    macAddress: attribute(macAddress, {
      about: 'Its MAC address; by default one that is free.',
      writers: 'parent-owner',
    }),
    fixedIps: attribute(listOf(fixedIp), {
      about: 'Its addresses, each on a subnet of its network; by default one of each version.',
      filter: fixedIpsFilter,
      sort: false,
    }),
    deviceId: attribute(text(), { about: 'What it is plugged into.', default: '' }),
    deviceOwner: attribute(text(), { about: 'What kind of thing that is.', default: '' }),
    portSecurityEnabled: attribute(flag, {
      about: 'Whether it is held to its own addresses; by default as its network says.',
      writers: 'parent-owner',
    }),
    securityGroups: attribute(setOf(uuid), {
      about: 'The groups that it is in; by default the default one of its project.',
      filter: securityGroupsFilter,
      sort: false,
    }),
    allowedAddressPairs: attribute(listOf(pair), {
      about: 'What it may send from besides its own addresses.',
      default: [],
      writers: 'parent-owner',
      ...neither,
    }),
    extraDhcpOpts: attribute(listOf(dhcpOption), {
      about: 'What DHCP tells its host besides what it tells all.',
      default: [],
      ...neither,
    }),
    qosPolicyId: attribute(orNull(uuid), {
      about: 'The QoS policy of its traffic; that of its network by default.',
      default: null,
    }),
    qosNetworkPolicyId: shownOnly(orNull(uuid), {
      about: 'The QoS policy of its network.',
      ...neither,
    }),
    dnsName: attribute(hostName, { about: 'Its name on its network.', default: '' }),
    dnsAssignment: shownOnly(
      types.valueType([Object], () => []),
      {
        about: 'Its addresses with the names that they have.',
        from: dnsAssignmentOf,
        ...neither,
      },
    ),
    trunkDetails: shownOnly(
      types.valueType<object>(Object, () => ({})),
      {
        about: 'The trunk that it is the port of, with its subports; left out of any other.',
        from: ({ trunkDetails }: Port) => trunkDetails ?? undefined,
        ...neither,
      },
    ),
    vnicType: attribute(oneOf(VNIC_TYPES), {
      about: 'How it is plugged in: normal, through the virtual switch.',
      default: 'normal',
      wire: 'binding:vnic_type',
    }),
    hostId: attribute(text(), {
      about: 'The host where it is plugged in; empty while it is not.',
      default: '',
      wire: 'binding:host_id',
      writers: 'service',
      readers: 'service',
    }),
    bindingProfile: attribute(profile, {
      about: 'What whoever plugs it in keeps there.',
      wire: 'binding:profile',
      writers: 'service',
      readers: 'service',
      ...neither,
    }),
    bindingVifType: shownOnly(text(), {
      wire: 'binding:vif_type',
      about:
        'How it is plugged in: ovs, or user for a QEMU of its own; unbound, or binding_failed.',
      from: vifTypeOf,
      readers: 'service',
      ...neither,
    }),
    bindingVifDetails: shownOnly(
      types.valueType(Object, () => ({})),
      {
        wire: 'binding:vif_details',
        about: 'What reaches it there, or the reason why it could not be bound.',
        from: vifDetailsOf,
        readers: 'service',
        ...neither,
      },
    ),
  },
});

export type PortAttributes = typeof portResource.attributes;
export type NewPort = NewBody<PortAttributes>;
export type PortChange = ChangeBody<PortAttributes>;
