/**
 * The parts of OVN's northbound database that this driver uses. Public source: ovn-nb(5).
 *
 * Always holds: the rows of a resource follow from its spec alone, which is stored with them. So
 * rows that a changed spec no longer asks for can be found, and rows can be repaired. Their UUIDs
 * are the resources' IDs or derived from these, so no row is there twice.
 */
import { createHash } from 'node:crypto';
import { NO_QOS, type NetworkSpec, type PortSpec, type SubnetSpec } from '../../data-plane.js';
import type { DhcpValue } from '../../../languages/ovn-dhcp.js';
import type { OvnMatch } from '../../../languages/ovn-match.js';
import { marks } from '../../../languages/ovsdb-text.js';
import type {
  OvnAddress,
  OvnHosts,
  OvsdbText,
  OvsdbWord,
  WrittenText,
} from '../../../languages/ovsdb-text.js';
import type { WrittenRow } from '../../ovsdb/ovsdb-operation.js';
import type { OvsdbRows } from '../../ovsdb/ovsdb-rows.js';
import type { Row } from '../../ovsdb/ovsdb-schema.js';

export const NORTHBOUND = 'OVN_Northbound';

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

/** A set of references that several resources add to. */
export interface Membership {
  readonly table: 'Logical_Switch' | 'Port_Group' | 'Logical_Router';
  readonly id: string;
  /** `ports` by default. */
  readonly column?: 'ports' | 'qos_rules' | 'load_balancer';
}

type Map<Text extends WrittenText> = Readonly<Record<string, Text>>;

/** Columns with a syntax of their own. */
interface Languages {
  Logical_Switch_Port: {
    readonly type?: OvsdbWord;
    readonly addresses?: readonly OvnAddress[];
    readonly port_security?: readonly OvnAddress[];
    readonly options?: Map<OvsdbText | OvsdbWord | OvnHosts> & {
      readonly 'requested-chassis'?: OvnHosts;
    };
  };
  DHCP_Options: { readonly cidr?: OvnAddress; readonly options?: Map<DhcpValue> };
  QoS: {
    readonly direction?: OvsdbWord;
    readonly match?: OvnMatch;
    readonly action?: Map<OvsdbWord>;
    readonly bandwidth?: Map<OvsdbWord>;
  };
  ACL: {
    readonly direction?: OvsdbWord;
    readonly match?: OvnMatch;
    readonly action?: OvsdbWord;
  };
  Logical_Router_Port: {
    readonly mac?: OvnAddress;
    readonly networks?: readonly OvnAddress[];
    readonly ipv6_ra_configs?: Map<OvsdbWord>;
  };
  Logical_Router_Static_Route: { readonly ip_prefix?: OvnAddress; readonly nexthop?: OvnAddress };
  NAT: {
    readonly type?: OvsdbWord;
    readonly external_ip?: OvnAddress;
    readonly logical_ip?: OvnAddress;
  };
  Load_Balancer: {
    readonly protocol?: readonly OvsdbWord[];
    readonly vips?: Map<OvnAddress>;
    readonly ip_port_mappings?: Map<OvnAddress>;
    readonly selection_fields?: readonly OvsdbWord[];
    readonly options?: Map<OvsdbWord>;
  };
  Load_Balancer_Health_Check: { readonly vip?: OvnAddress; readonly options?: Map<OvsdbWord> };
}

interface Wanted<Table extends NorthboundTable> extends PresentRow<Table> {
  readonly row: WrittenRow & (Table extends keyof Languages ? Languages[Table] : unknown);
}

/** A row, with the sets that contain it. */
export interface PresentRow<Table extends NorthboundTable = NorthboundTable> {
  readonly table: Table;
  readonly id: string;
  /** OVN deletes a row of a switch's `ports` or `qos_rules` once no set contains it. */
  readonly memberOf?: readonly Membership[];
}

export type WantedRow = { [Table in NorthboundTable]: Wanted<Table> }[NorthboundTable];

type Marks = Readonly<Record<'external_ids', Map<OvsdbText>>>;

const KIND = 'cumulet:kind';
const OWNER = 'cumulet:owner';
const SPEC = 'cumulet:spec';
const MTU = 'cumulet:mtu';
const ADDRESSES = 'cumulet:addresses';

/** Marks the row that stands for a resource. @param more further marks */
export function markOf(
  kind: Kind,
  spec: { readonly id: string },
  more: Readonly<Record<string, string>> = {},
): Marks {
  const own = { [KIND]: kind, [OWNER]: spec.id, [SPEC]: JSON.stringify(spec), ...more };
  return { external_ids: marks(own) };
}

/** Marks a port's row with the data of its network that hosts need. */
export function portMark(port: PortSpec, { mtu, subnets }: NetworkSpec): Marks {
  const placed = port.addresses.flatMap(({ subnetId, address }): PlacedAddress[] => {
    const subnet = subnets.find(({ id }) => id === subnetId);
    if (!subnet) return [];
    const { cidr, gatewayIp, hostRoutes } = subnet;
    return [{ address, cidr, gatewayIp, hostRoutes }];
  });
  const own = port.namespace === 'own' ? { [ADDRESSES]: JSON.stringify(placed) } : {};
  return markOf('port', port, { [MTU]: String(mtu), ...own });
}

/** An address with the parts of its subnet that a host needs. */
export interface PlacedAddress extends Pick<SubnetSpec, 'cidr' | 'gatewayIp' | 'hostRoutes'> {
  readonly address: string;
}

/** Reads `portMark`; undefined unless the port has a network namespace of its own. */
export function placedAddressesIn(row: Row): readonly PlacedAddress[] | undefined {
  const text = (row['external_ids'] as Readonly<Record<string, string>>)[ADDRESSES];
  return text === undefined ? undefined : (JSON.parse(text) as PlacedAddress[]);
}

/** Reads `portMark`, which ovn-northd copies to the southbound database. */
export function mtuIn(row: Row): number | undefined {
  const text = (row['external_ids'] as Readonly<Record<string, string>>)[MTU];
  return text === undefined ? undefined : Number(text);
}

/** Marks a further row of a resource. */
export function partOf(id: string): Marks {
  return { external_ids: marks({ [OWNER]: id }) };
}

/** The resource that the row belongs to; undefined if this driver has not created it. */
export function ownerIn(row: Row): string | undefined {
  return (row['external_ids'] as Readonly<Record<string, string>>)[OWNER];
}

/** The spec of the resource that the row stands for; undefined if it is not of this kind. */
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

/** A UUID that depends on the words only. */
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

/** The name of a router's port, by which the switch's port refers to it. */
export function routerPortName(portId: string): string {
  return `lrp-${portId}`;
}

// Specs as stored in rows. Earlier versions lack some fields, which then have their empty values.

type Fields = Readonly<Record<string, unknown>>;
type Stored = Fields & Readonly<Record<string, readonly Fields[] | undefined>>;

export type Kind = 'network' | 'port' | 'metadata_port' | 'security_group' | 'router' | 'balancer';

/** Keeps the order of present fields, so that a complete spec is written unchanged. */
const completed = (spec: Fields, missing: Fields): Fields => ({
  ...spec,
  ...Object.fromEntries(Object.entries(missing).filter(([name]) => !Object.hasOwn(spec, name))),
});

const withQos = (spec: Fields): Fields => completed(spec, { qos: NO_QOS });

/** Earlier versions stored a single prefix for each rule. */
const withPrefixes = ({ remoteIpPrefix: one, ...rule }: Fields): Fields =>
  completed(rule, { remotePrefixes: typeof one === 'string' ? [one] : null });

const COMPLETIONS: Readonly<Record<Kind, (spec: Stored) => Fields>> = {
  network: (spec) => completed(spec, { metadataPort: null, projectId: '' }),
  port: (spec) =>
    completed(spec, {
      qos: NO_QOS,
      tap: null,
      namespace: null,
      isVip: false,
      prepared: [],
      parent: null,
      deviceId: '',
      projectId: '',
    }),
  metadata_port: (spec) => spec,
  balancer: (spec) => spec,
  security_group: (spec) => ({ ...spec, rules: (spec['rules'] ?? []).map(withPrefixes) }),
  router: (spec) => ({
    ...completed(spec, { availabilityZones: [], floatingIps: [], portForwardings: [] }),
    gateways: (spec['gateways'] ?? []).map(withQos),
    floatingIps: (spec['floatingIps'] ?? []).map(withQos),
  }),
};

export function storedSpec<Spec>(kind: Kind, text: string): Spec {
  return COMPLETIONS[kind](JSON.parse(text) as Stored) as Spec;
}
