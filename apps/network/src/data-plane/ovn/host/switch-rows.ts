/**
 * Rows of the host's own database: its chassis and bridges. Public sources:
 * ovs-vswitchd.conf.db(5); ovn-controller(8), "Configuration".
 */
import { marks, plain, plains, settings, word } from '../../../languages/ovsdb-text.js';
import type { SwitchSetting, OvsdbText } from '../../../languages/ovsdb-text.js';
import { INTEGRATION_BRIDGE } from '../../data-plane.js';
import type { Operation, WrittenRow } from '../../ovsdb/ovsdb-operation.js';
import type { OvsdbRows } from '../../ovsdb/ovsdb-rows.js';
import { sameValue } from '../../ovsdb/ovsdb-schema.js';
import { derivedId } from '../rows/northbound.js';
import { GATEWAY, NAMESPACE, ZONES } from '../southbound-hosts.js';
import { bridgeOf, namespaceOf, type ChassisOptions } from './host-settings.js';
import { TUNNEL_BRIDGE, tunnelMac } from './tunnels.js';

export const SWITCH_DATABASE = 'Open_vSwitch';

export const SWITCH_TABLES = {
  Open_vSwitch: ['bridges', 'external_ids', 'next_cfg', 'cur_cfg'],
  Bridge: ['name', 'ports'],
  Port: ['name', 'interfaces'],
  Interface: ['name', 'type', 'external_ids', 'error'],
} as const;

const REMOTE = 'ovn-remote';
const ROOT = derivedId('cumulet', 'switch');

/** @returns nothing if all rows exist */
export function planSwitch(rows: OvsdbRows, options: ChassisOptions): Operation[] {
  const [id = ROOT, root] = [...rows.of('Open_vSwitch')][0] ?? [];
  const wanted = bridgesOf(options);
  const known = new Map([...rows.of('Bridge')].map(([one, { name }]) => [name, one]));
  const missing = wanted.filter(({ name }) => !known.has(name));
  const surplus = [...known].filter(([name]) => !wanted.some((one) => one.name === name));
  const row = { external_ids: chassisOf(options) };
  const bridges = missing.map(({ name }) => derivedId('bridge', name));
  const added = missing.flatMap(bridgeRows);
  if (!root)
    return [
      { op: 'insert', table: 'Open_vSwitch', id, row: { ...row, bridges: plains(bridges) } },
      ...added,
    ];
  const on = { table: 'Open_vSwitch', id } as const;
  const change = (mutator: 'insert' | 'delete', values: readonly string[]): Operation[] =>
    values.length === 0
      ? []
      : [{ op: 'mutate', ...on, column: 'bridges', mutator, values: plains(values) }];
  const isSame = sameValue(root['external_ids'], row.external_ids);
  return [
    ...(isSame ? [] : [{ op: 'update', ...on, row } as const]),
    ...added,
    ...change('insert', bridges),
    ...change(
      'delete',
      surplus.map(([, one]) => one),
    ),
  ];
}

/** Tells ovn-controller where the southbound database is. @returns nothing if it knows */
export function planSouthbound(rows: OvsdbRows, southbound: string): Operation[] {
  return [...rows.of('Open_vSwitch')].flatMap(([id, row]) => {
    const known = row['external_ids'] as Readonly<Record<string, string>>;
    if (known[REMOTE] === southbound) return [];
    const external_ids = marks({ ...known, [REMOTE]: southbound });
    return [{ op: 'update', table: 'Open_vSwitch', id, row: { external_ids } } as const];
  });
}

interface Bridge {
  readonly name: string;
  /** Columns that not every bridge sets. */
  readonly row: WrittenRow;
}

function bridgesOf(options: ChassisOptions): Bridge[] {
  const hwaddr = tunnelMac(options);
  return [
    { name: INTEGRATION_BRIDGE, row: { fail_mode: [word('secure')] } },
    ...options.physicalNetworks.map((one) => ({ name: bridgeOf(one), row: {} })),
    ...(options.tunnel
      ? [{ name: TUNNEL_BRIDGE, row: { other_config: { hwaddr: plain(hwaddr) } } }]
      : []),
  ];
}

function chassisOf(options: ChassisOptions): Readonly<Record<string, OvsdbText | SwitchSetting>> {
  const { host, southbound, tunnel, physicalNetworks, availabilityZones, folder } = options;
  const cms: [string, string?][] = [
    ...(physicalNetworks.length > 0 ? [[GATEWAY] satisfies [string]] : []),
    ...(availabilityZones.length > 0
      ? [[ZONES, availabilityZones.join(':')] satisfies [string, string]]
      : []),
    [NAMESPACE, namespaceOf(folder)],
  ];
  return {
    ...marks({
      'system-id': host,
      hostname: host,
      [REMOTE]: southbound,
      'ovn-encap-type': 'geneve',
      'ovn-encap-ip': tunnel?.address.split('/')[0] ?? '127.0.0.1',
      'ovn-bridge': INTEGRATION_BRIDGE,
      'ovn-bridge-datapath-type': 'netdev',
    }),
    'ovn-bridge-mappings': settings(
      physicalNetworks.map((name) => [name, bridgeOf(name)]),
      ':',
    ),
    'ovn-cms-options': settings(cms, '='),
  };
}

function bridgeRows({ name, row }: Bridge): Operation[] {
  const [bridge, port, device] = ['bridge', 'port', 'interface'].map((what) =>
    derivedId(what, name),
  ) as [string, string, string];
  const all = {
    name: plain(name),
    ports: plains([port]),
    datapath_type: word('netdev'),
    ...row,
  };
  return [
    { op: 'insert', table: 'Bridge', id: bridge, row: all },
    ...portRows(port, device, { name: plain(name), type: word('internal') }),
  ];
}

/** Plugs a device of the switch's namespace into a bridge. */
export function planDevice(bridge: string, device: string, row: WrittenRow = {}): Operation[] {
  const [port, one] = [derivedId('port', device), derivedId('interface', device)];
  return [
    ...portRows(port, one, { name: plain(device), ...row }),
    onBridge(bridge, 'insert', port),
  ];
}

/** Plugs a device into the integration bridge, as a port. @param ids further `external_ids` */
export function planPlug(
  device: string,
  portId: string,
  ids: Readonly<Record<string, string>> = {},
): Operation[] {
  return planDevice(INTEGRATION_BRIDGE, device, {
    external_ids: marks({ 'iface-id': portId, ...ids }),
  });
}

export function planUnplug(device: string): Operation[] {
  return [onBridge(INTEGRATION_BRIDGE, 'delete', derivedId('port', device))];
}

function portRows(
  port: string,
  one: string,
  row: WrittenRow & { readonly name: OvsdbText },
): Operation[] {
  return [
    { op: 'insert', table: 'Port', id: port, row: { name: row.name, interfaces: plains([one]) } },
    { op: 'insert', table: 'Interface', id: one, row },
  ];
}

function onBridge(bridge: string, mutator: 'insert' | 'delete', port: string): Operation {
  const id = derivedId('bridge', bridge);
  return { op: 'mutate', table: 'Bridge', id, column: 'ports', mutator, values: plains([port]) };
}
