/**
 * Where a balancer is placed: on its network, on other networks of its project behind the same
 * routers, and on these routers. Other projects' networks are excluded, since the owner of a
 * network could choose an address there to intercept traffic. Pure.
 */
import type { BalancerMemberSpec, BalancerSpec } from '../../balancer-spec.js';
import type { NetworkSpec, RouterSpec } from '../../data-plane.js';
import type { OvsdbRows } from '../../ovsdb/ovsdb-rows.js';
import { ownerIn, specOf, specsOf, type PresentRow } from './northbound.js';

export interface BalancerPlace {
  readonly networkIds: readonly string[];
  readonly routerIds: readonly string[];
  /** Of floating IPs that lead to its addresses. */
  readonly floatingAddresses: readonly string[];
  /** Whether routers answer for it, because its network is external to them. */
  readonly isRouted: boolean;
  /** Routes from its network to those behind its routers and beyond. */
  readonly routes: readonly { readonly destination: string; readonly nexthop: string }[];
  /** Ports by ID of the member whose address they have. */
  readonly portsOf: ReadonlyMap<string, string>;
}

export function placeOf(rows: OvsdbRows, balancer: BalancerSpec): BalancerPlace {
  const { networkId, projectId, portId, listeners } = balancer;
  const members = listeners.flatMap((listener) => (listener.check ? listener.members : []));
  const isOwn = (id: string): boolean =>
    specOf<NetworkSpec>(rows, 'network', id)?.projectId === projectId;
  const networksOf = ({ interfaces }: RouterSpec): string[] =>
    interfaces.map((port) => port.networkId);
  const all = specsOf<RouterSpec>(rows, 'router');
  const beside = all.filter((router) => networksOf(router).includes(networkId));
  const toMembers = new Set(
    listeners.flatMap((one) => one.members.map((member) => member.networkId ?? '')),
  );
  // On an external network, addresses that lead in to its members are to answer.
  const within = all.filter(
    (router) =>
      router.gateways.some((gateway) => gateway.networkId === networkId) &&
      networksOf(router).some((id) => toMembers.has(id) && isOwn(id)),
  );
  const routers = [...new Set([...beside, ...within])];
  const isRouted = within.length > 0;
  const others = routers.flatMap(networksOf).filter(isOwn);
  // If an outside switch balanced a connection, the router would not recognise the replies.
  const here = isRouted ? [] : [networkId];
  return {
    networkIds: [...new Set([...here, ...others])],
    routerIds: routers.map(({ id }) => id),
    floatingAddresses: beside.flatMap(({ floatingIps }) =>
      floatingIps
        .filter(
          ({ fixedPortId, fixedAddress }) =>
            fixedPortId === portId &&
            balancer.addresses.some(({ address }) => address === fixedAddress),
        )
        .map(({ address }) => address),
    ),
    isRouted,
    routes: beside.flatMap((router) => routesBy(router, networkId)),
    portsOf: portsWith(rows, members),
  };
}

function routesBy({ interfaces }: RouterSpec, networkId: string): BalancerPlace['routes'] {
  const addressesOf = (isHere: boolean) =>
    interfaces
      .filter((port) => (port.networkId === networkId) === isHere)
      .flatMap((port) => port.addresses);
  const behind = addressesOf(false);
  return addressesOf(true).flatMap(({ address: nexthop, gatewayIp }) => {
    const isV6 = nexthop.includes(':');
    const same = behind.filter(({ cidr }) => cidr.includes(':') === isV6);
    const out =
      nexthop === gatewayIp ? [{ destination: isV6 ? '::/0' : '0.0.0.0/0', nexthop }] : [];
    return [...same.map(({ cidr: destination }) => ({ destination, nexthop })), ...out];
  });
}

function portsWith(
  rows: OvsdbRows,
  members: readonly BalancerMemberSpec[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const networkId of new Set(members.map((member) => member.networkId))) {
    if (networkId === null) continue;
    const ports = portsByAddress(rows, networkId);
    for (const { id, address, networkId: own } of members) {
      const port = own === networkId ? ports.get(address) : undefined;
      if (port !== undefined) found.set(id, port);
    }
  }
  return found;
}

function portsByAddress(rows: OvsdbRows, networkId: string): ReadonlyMap<string, string> {
  const ids = (rows.find('Logical_Switch', networkId)?.['ports'] ?? []) as readonly string[];
  return new Map(
    ids.flatMap((id) => {
      const texts = (rows.find('Logical_Switch_Port', id)?.['addresses'] ?? []) as string[];
      const [, ...addresses] = texts[0]?.split(' ') ?? [];
      return addresses.map((address) => [address, id] as const);
    }),
  );
}

/** The existing rows of a balancer, apart from its own, with the sets that they are in. */
export function presentRows(rows: OvsdbRows, balancerId: string): PresentRow[] {
  const tables = ['Load_Balancer', 'Logical_Router', 'Logical_Switch_Port'] as const;
  return tables.flatMap((table) =>
    [...rows.of(table)]
      .filter(([, row]) => ownerIn(row) === balancerId)
      .map(([id]) => ({
        table,
        id,
        memberOf:
          table === 'Load_Balancer'
            ? [
                ...holders(rows, 'Logical_Switch', 'load_balancer', id),
                ...holders(rows, 'Logical_Router', 'load_balancer', id),
              ]
            : holders(rows, 'Logical_Switch', 'ports', id),
      })),
  );
}

function holders<Table extends 'Logical_Switch' | 'Logical_Router'>(
  rows: OvsdbRows,
  table: Table,
  column: 'ports' | 'load_balancer',
  member: string,
): { readonly table: Table; readonly id: string; readonly column: typeof column }[] {
  return [...rows.of(table)]
    .filter(([, row]) => (row[column] as readonly string[]).includes(member))
    .map(([id]) => ({ table, id, column }));
}
