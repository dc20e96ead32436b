/**
 * What of OVN's northbound database this driver reads and writes. Public source: ovn-nb(5).
 *
 * Always holds: the rows of a resource follow from its spec alone, which is kept with them, so that
 * what a changed spec no longer asks for is known, and rows can be made right by themselves. Their
 * UUIDs are the resources' own ids, or made from these: no row can be there twice.
 */
import { createHash } from 'node:crypto';
import type { NetworkSpec, PortSpec, SubnetSpec } from '../../data-plane.js';
import type { OvsdbRows } from '../../ovsdb/ovsdb-rows.js';
import type { Row } from '../../ovsdb/ovsdb-schema.js';
import { storedSpec, type Kind } from './stored-specs.js';

export type { Kind } from './stored-specs.js';

export const NORTHBOUND = 'OVN_Northbound';

/** Each table with the columns that matter here. */
export const NORTHBOUND_TABLES = {
  NB_Global: ['nb_cfg'],
  Logical_Switch: ['name', 'ports', 'qos_rules', 'load_balancer', 'external_ids'],
  Logical_Switch_Port: [
    'name',
    'type',
    'addresses',
    'port_security',
    'enabled',
    'up',
    'parent_name',
    'tag',
    'options',
    'dhcpv4_options',
    'dhcpv6_options',
    'external_ids',
  ],
  DHCP_Options: ['cidr', 'options', 'external_ids'],
  QoS: ['priority', 'direction', 'match', 'action', 'bandwidth', 'external_ids'],
  Port_Group: ['name', 'ports', 'acls', 'external_ids'],
  ACL: ['priority', 'direction', 'match', 'action', 'external_ids'],
  Logical_Router: [
    'name',
    'enabled',
    'ports',
    'static_routes',
    'nat',
    'load_balancer',
    'external_ids',
  ],
  Logical_Router_Port: [
    'name',
    'mac',
    'networks',
    'enabled',
    'gateway_chassis',
    'ipv6_ra_configs',
    'external_ids',
  ],
  Gateway_Chassis: ['name', 'chassis_name', 'priority', 'external_ids'],
  Logical_Router_Static_Route: ['ip_prefix', 'nexthop', 'output_port', 'external_ids'],
  NAT: ['type', 'external_ip', 'logical_ip', 'gateway_port', 'external_ids'],
  Load_Balancer: [
    'name',
    'protocol',
    'vips',
    'health_check',
    'ip_port_mappings',
    'selection_fields',
    'options',
    'external_ids',
  ],
  Load_Balancer_Health_Check: ['vip', 'options', 'external_ids'],
} as const;

export type NorthboundTable = keyof typeof NORTHBOUND_TABLES;

/** A set of references that several resources put theirs into. */
export interface Membership {
  readonly table: 'Logical_Switch' | 'Port_Group' | 'Logical_Router';
  readonly id: string;
  /** `ports` by default. */
  readonly column?: 'ports' | 'qos_rules' | 'load_balancer';
}

/** A row as it is to be. */
export interface WantedRow {
  readonly table: NorthboundTable;
  readonly id: string;
  readonly row: Row;
  /** Whose column it is in. A row of a switch's `ports` or `qos_rules` goes once it is in none. */
  readonly memberOf?: readonly Membership[];
}

const KIND = 'cumulet:kind';
const OWNER = 'cumulet:owner';
const SPEC = 'cumulet:spec';
const MTU = 'cumulet:mtu';
const ADDRESSES = 'cumulet:addresses';

/** Marks the row that stands for a resource. @param more marks besides */
export function markOf(
  kind: Kind,
  spec: { readonly id: string },
  more: Readonly<Record<string, string>> = {},
): Row {
  return {
    external_ids: { [KIND]: kind, [OWNER]: spec.id, [SPEC]: JSON.stringify(spec), ...more },
  };
}

/** Marks a port's row with what its hosts cannot know from its spec. */
export function portMark(port: PortSpec, { mtu, subnets }: NetworkSpec): Row {
  const placed = port.addresses.flatMap(({ subnetId, address }): PlacedAddress[] => {
    const subnet = subnets.find(({ id }) => id === subnetId);
    if (!subnet) return [];
    const { cidr, gatewayIp, hostRoutes } = subnet;
    return [{ address, cidr, gatewayIp, hostRoutes }];
  });
  const own = port.namespace === 'own' ? { [ADDRESSES]: JSON.stringify(placed) } : {};
  return markOf('port', port, { [MTU]: String(mtu), ...own });
}

/** An address with what a host needs to know of its subnet. */
export interface PlacedAddress extends Pick<SubnetSpec, 'cidr' | 'gatewayIp' | 'hostRoutes'> {
  readonly address: string;
}

/** Of a row with `portMark`; undefined unless its port has a network namespace of its own. */
export function placedAddressesIn(row: Row): readonly PlacedAddress[] | undefined {
  const text = (row['external_ids'] as Readonly<Record<string, string>>)[ADDRESSES];
  return text === undefined ? undefined : (JSON.parse(text) as PlacedAddress[]);
}

/** Of a row with `portMark`; ovn-northd takes it over into the southbound database. */
export function mtuIn(row: Row): number | undefined {
  const text = (row['external_ids'] as Readonly<Record<string, string>>)[MTU];
  return text === undefined ? undefined : Number(text);
}

/** Marks a row that a resource has besides. */
export function partOf(id: string): Row {
  return { external_ids: { [OWNER]: id } };
}

/** The resource that has the row; undefined if this driver has not made it. */
export function ownerIn(row: Row): string | undefined {
  return (row['external_ids'] as Readonly<Record<string, string>>)[OWNER];
}

/** The spec of the resource that the row stands for; undefined if it stands for none of the kind. */
export function specIn<Spec>(kind: Kind, row: Row | undefined): Spec | undefined {
  const ids = row?.['external_ids'] as Readonly<Record<string, string>> | undefined;
  const text = ids?.[KIND] === kind ? ids[SPEC] : undefined;
  return text === undefined ? undefined : storedSpec<Spec>(kind, text);
}

export const MAIN_TABLES = {
  network: 'Logical_Switch',
  port: 'Logical_Switch_Port',
  metadata_port: 'Logical_Switch_Port',
  security_group: 'Port_Group',
  router: 'Logical_Router',
  balancer: 'Load_Balancer',
} as const satisfies Record<Kind, NorthboundTable>;

export function specOf<Spec>(rows: OvsdbRows, kind: Kind, id: string): Spec | undefined {
  return specIn(kind, rows.find(MAIN_TABLES[kind], id));
}

export function specsOf<Spec>(rows: OvsdbRows, kind: Kind): Spec[] {
  return [...rows.of(MAIN_TABLES[kind]).values()].flatMap((row) => specIn<Spec>(kind, row) ?? []);
}

/** A UUID that is always the same for the same words. */
export function derivedId(...words: readonly string[]): string {
  const hex = createHash('sha256').update(words.join('\0')).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return [...parts, hex.slice(20, 32)].join('-');
}

/** Of a router's port, as its switch's port names it. */
export function routerPortName(portId: string): string {
  return `lrp-${portId}`;
}
