/**
 * Plans the operations of one northbound transaction from a spec and the current rows. Each plan
 * names the rows that it relies on, so the transaction fails if somebody else changed them. Pure.
 */
import { plain } from '../../languages/ovsdb-text.js';
import type { BalancerSpec } from '../balancer-spec.js';
import type {
  NetworkSpec,
  PortSpec,
  RouterPortSpec,
  RouterSpec,
  SecurityGroupSpec,
} from '../data-plane.js';
import * as errors from '../data-plane.errors.js';
import type { Operation } from '../ovsdb/ovsdb-operation.js';
import type { OvsdbRows } from '../ovsdb/ovsdb-rows.js';
import { placeOf, presentRows } from './rows/balancer-place.js';
import { balancerRows } from './rows/balancer-rows.js';
import { networkRows, ownPorts } from './rows/network-rows.js';
import { specIn, specOf, type NorthboundTable, type WantedRow } from './rows/northbound.js';
import { planRows } from './rows/plan-rows.js';
import { portRows } from './rows/port-rows.js';
import { routerRows, type HostsFor } from './rows/router-rows.js';
import { dropRows, securityGroupRows } from './rows/security-group-rows.js';

/** Chooses the hosts for a gateway. */
export type GatewayHosts = (gateway: {
  readonly portId: string;
  /** Null if its network is not on one. */
  readonly physicalNetwork: string | null;
  readonly availabilityZones: readonly string[];
}) => readonly string[];

type Columns = 'external_ids' | 'ports';

/** Updates also the network's ports, whose DHCP options and state depend on it. */
export function planNetwork(rows: OvsdbRows, network: NetworkSpec): Operation[] {
  const { id } = network;
  const before = specOf<NetworkSpec>(rows, 'network', id);
  const ports = portsOf(rows, id);
  return [
    expect(rows, 'Logical_Switch', id, 'ports'),
    ...ports.map((port) => expect(rows, 'Logical_Switch_Port', port.id, 'external_ids')),
    ...planRows(rows, networkRows(network), before && networkRows(before)),
    ...(ports.length > 0 ? planRows(rows, dropRows()) : []),
    ...ports.flatMap((port) =>
      planRows(rows, portRows(port, network), before && portRows(port, before)),
    ),
  ];
}

/** @throws NetworkHasPortsError */
export function planNoNetwork(rows: OvsdbRows, id: string): Operation[] {
  const before = specOf<NetworkSpec>(rows, 'network', id);
  const own = new Set(before && ownPorts(before));
  if (portIdsOf(rows, id).some((port) => !own.has(port))) throw new errors.NetworkHasPortsError(id);
  return [
    expect(rows, 'Logical_Switch', id, 'ports'),
    ...planRows(rows, [], before && networkRows(before)),
    { op: 'delete', table: 'Logical_Switch', id },
  ];
}

/** @throws NetworkNotThereError @throws SecurityGroupNotThereError */
export function planPort(rows: OvsdbRows, port: PortSpec): Operation[] {
  const network = specOf<NetworkSpec>(rows, 'network', port.networkId);
  if (!network) throw new errors.NetworkNotThereError(port.networkId);
  const missing = port.securityGroups.find((id) => !rows.find('Port_Group', id));
  if (missing !== undefined) throw new errors.SecurityGroupNotThereError(missing);
  const before = specOf<PortSpec>(rows, 'port', port.id);
  return [
    expect(rows, 'Logical_Switch', network.id, 'external_ids'),
    expect(rows, 'Logical_Switch_Port', port.id, 'external_ids'),
    ...planRows(
      rows,
      [...dropRows(), ...portRows(port, network)],
      before && portRows(before, network),
    ),
  ];
}

export function planNoPort(rows: OvsdbRows, id: string): Operation[] {
  const before = specOf<PortSpec>(rows, 'port', id);
  const network = before && specOf<NetworkSpec>(rows, 'network', before.networkId);
  return [
    expect(rows, 'Logical_Switch_Port', id, 'external_ids'),
    ...planRows(rows, [], before && network && portRows(before, network)),
    // A port that lost its mark is found by the switch that contains it.
    ...(before && network ? [] : switchesWith(rows, id).map((one) => withoutPort(one, id))),
  ];
}

export function planSecurityGroup(rows: OvsdbRows, group: SecurityGroupSpec): Operation[] {
  const before = specOf<SecurityGroupSpec>(rows, 'security_group', group.id);
  return [
    expect(rows, 'Port_Group', group.id, 'external_ids'),
    ...planRows(rows, securityGroupRows(group), before && securityGroupRows(before)),
  ];
}

export function planNoSecurityGroup(id: string): Operation[] {
  return [{ op: 'delete', table: 'Port_Group', id }];
}

/** @throws NetworkNotThereError */
export function planRouter(
  rows: OvsdbRows,
  router: RouterSpec,
  gateways: GatewayHosts,
): Operation[] {
  const ports: readonly RouterPortSpec[] = [...router.interfaces, ...router.gateways];
  const missing = ports.find(({ networkId }) => !rows.find('Logical_Switch', networkId));
  if (missing) throw new errors.NetworkNotThereError(missing.networkId);
  const before = specOf<RouterSpec>(rows, 'router', router.id);
  const { availabilityZones } = router;
  const hostsFor: HostsFor = ({ portId, networkId }) => {
    const { physicalNetwork } = specOf<NetworkSpec>(rows, 'network', networkId) ?? {};
    return gateways({ portId, physicalNetwork: physicalNetwork ?? null, availabilityZones });
  };
  const taken = ports.flatMap(({ portId }) => portRowsOf(rows, portId));
  return [
    expect(rows, 'Logical_Router', router.id, 'external_ids'),
    ...planRows(rows, routerRows(router, hostsFor), [
      ...(before ? routerRows(before, hostsFor) : []),
      ...taken,
    ]),
  ];
}

export function planNoRouter(rows: OvsdbRows, id: string): Operation[] {
  const before = specOf<RouterSpec>(rows, 'router', id);
  return [
    expect(rows, 'Logical_Router', id, 'external_ids'),
    ...planRows(rows, [], before && routerRows(before, () => [])),
    { op: 'delete', table: 'Logical_Router', id },
  ];
}

/** Includes what changes of routers entail. @throws NetworkNotThereError */
export function planBalancer(rows: OvsdbRows, balancer: BalancerSpec): Operation[] {
  const { id, networkId } = balancer;
  if (!specOf(rows, 'network', networkId)) throw new errors.NetworkNotThereError(networkId);
  return [
    expect(rows, 'Load_Balancer', id, 'external_ids'),
    ...planRows(rows, balancerRows(balancer, placeOf(rows, balancer)), presentRows(rows, id)),
  ];
}

export function planNoBalancer(rows: OvsdbRows, id: string): Operation[] {
  return [
    expect(rows, 'Load_Balancer', id, 'external_ids'),
    ...planRows(rows, [], presentRows(rows, id)),
    { op: 'delete', table: 'Load_Balancer', id },
  ];
}

/** The ports of a network that have specs of their own. */
function portsOf(rows: OvsdbRows, networkId: string): PortSpec[] {
  return portIdsOf(rows, networkId).flatMap(
    (id) => specIn<PortSpec>('port', rows.find('Logical_Switch_Port', id)) ?? [],
  );
}

/** The rows that follow from a port's stored spec. */
function portRowsOf(rows: OvsdbRows, id: string): WantedRow[] {
  const port = specOf<PortSpec>(rows, 'port', id);
  const network = port && specOf<NetworkSpec>(rows, 'network', port.networkId);
  return network ? portRows(port, network) : [];
}

function switchesWith(rows: OvsdbRows, portId: string): string[] {
  return [...rows.of('Logical_Switch').keys()].filter((id) => portIdsOf(rows, id).includes(portId));
}

function withoutPort(id: string, portId: string): Operation {
  const on = { table: 'Logical_Switch', id, column: 'ports' };
  return { op: 'mutate', ...on, mutator: 'delete', values: [plain(portId)] };
}

function portIdsOf(rows: OvsdbRows, networkId: string): readonly string[] {
  return (rows.find('Logical_Switch', networkId)?.['ports'] ?? []) as readonly string[];
}

/** Aborts the transaction if the column has changed, or the row been added, meanwhile. */
function expect(rows: OvsdbRows, table: NorthboundTable, id: string, column: Columns): Operation {
  const value = rows.find(table, id)?.[column];
  return { op: 'expect', table, id, row: value === undefined ? null : { [column]: value } };
}
