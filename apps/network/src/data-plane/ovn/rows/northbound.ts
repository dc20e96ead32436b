/**
 * What of OVN's northbound database this driver reads and writes. Public source: ovn-nb(5).
 *
 * Always holds: the rows of a resource follow from its spec alone, which is kept with them, so that
 * what a changed spec no longer asks for is known, and rows can be made right by themselves. Their
 * UUIDs are the resources' own ids, or made from these: no row can be there twice.
 */
import { createHash } from 'node:crypto';
import type { PortSpec } from '../../data-plane.js';
import type { OvsdbRows } from '../../ovsdb/ovsdb-rows.js';
import type { Row } from '../../ovsdb/ovsdb-schema.js';
import { storedSpec, type Kind } from './stored-specs.js';

export type { Kind } from './stored-specs.js';

export const NORTHBOUND = 'OVN_Northbound';

/** Each table with the columns that matter here. */
export const NORTHBOUND_TABLES = {
  NB_Global: ['nb_cfg'],
  Logical_Switch: ['name', 'ports', 'qos_rules', 'external_ids'],
  Logical_Switch_Port: [
    ...[
      'name',
      'type',
      'addresses',
      'port_security',
      'enabled',
      'up',
      'parent_name',
      'tag',
      'options',
    ],
    ...['dhcpv4_options', 'dhcpv6_options', 'external_ids'],
  ],
  DHCP_Options: ['cidr', 'options', 'external_ids'],
  QoS: ['priority', 'direction', 'match', 'action', 'bandwidth', 'external_ids'],
  Port_Group: ['name', 'ports', 'acls', 'external_ids'],
  ACL: ['priority', 'direction', 'match', 'action', 'external_ids'],
  Logical_Router: [
    ...['name', 'enabled', 'ports', 'static_routes', 'nat', 'load_balancer', 'external_ids'],
  ],
  Logical_Router_Port: [
    ...['name', 'mac', 'networks', 'enabled', 'gateway_chassis', 'ipv6_ra_configs'],
    'external_ids',
  ],
  Gateway_Chassis: ['name', 'chassis_name', 'priority', 'external_ids'],
  Logical_Router_Static_Route: ['ip_prefix', 'nexthop', 'output_port', 'external_ids'],
  NAT: ['type', 'external_ip', 'logical_ip', 'gateway_port', 'external_ids'],
  Load_Balancer: ['name', 'protocol', 'vips', 'external_ids'],
} as const;

export type NorthboundTable = keyof typeof NORTHBOUND_TABLES;

/** A set of references that several resources put theirs into. */
export interface Membership {
  readonly table: 'Logical_Switch' | 'Port_Group';
  readonly id: string;
  /** `ports` by default. */
  readonly column?: 'ports' | 'qos_rules';
}

/** A row as it is to be. */
export interface WantedRow {
  readonly table: NorthboundTable;
  readonly id: string;
  readonly row: Row;
  /** Whose `ports`, or `qos_rules`, it is in. A row of a switch goes once it is in none. */
  readonly memberOf?: readonly Membership[];
}

const KIND = 'cumulet:kind';
const OWNER = 'cumulet:owner';
const SPEC = 'cumulet:spec';
const MTU = 'cumulet:mtu';

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

/** Marks a port's row with what its hosts cannot know from its spec. @param mtu bytes, of its network */
export function portMark(port: PortSpec, mtu: number): Row {
  return markOf('port', port, { [MTU]: String(mtu) });
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
