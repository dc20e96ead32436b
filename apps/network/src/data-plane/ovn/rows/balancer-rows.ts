/**
 * A balancer is an OVN load balancer for each listener, on the switches and routers whose guests
 * can reach it. One more, without addresses, stands for the whole. Public sources: ovn-nb(5),
 * "Load_Balancer", "Load_Balancer_Health_Check"; ovn-octavia-provider, `helper.py`.
 */
import * as text from '../../../languages/ovsdb-text.js';
import type {
  BalancerListenerSpec,
  BalancerMemberSpec,
  BalancerSpec,
} from '../../balancer-spec.js';
import type { BalancerPlace } from './balancer-place.js';
import { derivedId, markOf, partOf, routerPortName } from './northbound.js';
import type { Membership, WantedRow } from './northbound.js';

/** The fields that distinguish connections. */
const SOURCE_IP_PORT = [
  text.word('ip_src'),
  text.word('ip_dst'),
  text.word('tp_src'),
  text.word('tp_dst'),
];

export function balancerRows(balancer: BalancerSpec, place: BalancerPlace): WantedRow[] {
  const { id, listeners } = balancer;
  return [
    {
      table: 'Load_Balancer',
      id,
      row: { name: text.plain(id), protocol: [], vips: {}, ...markOf('balancer', balancer) },
    },
    ...listeners.flatMap((listener) => listenerRows(balancer, listener, place)),
    ...(place.isRouted ? [] : answererRows(balancer, place)),
  ];
}

function listenerRows(
  { id: balancerId, addresses }: BalancerSpec,
  { id, protocol, port, affinitySeconds, check, members }: BalancerListenerSpec,
  { networkIds, routerIds, floatingAddresses, isRouted, portsOf }: BalancerPlace,
): WantedRow[] {
  const own = [...addresses.map(({ address }) => address), ...floatingAddresses];
  const vips = own.map((address) => {
    const same = members.filter((one) => isV6(one.address) === isV6(address));
    const ends = same.map((one) => text.endpoint(one.address, one.port));
    return [text.endpoint(address, port), ends] as const;
  });
  const checks = check ? vips.map(([vip]) => checkRow(balancerId, id, vip, check)) : [];
  const on = (table: 'Logical_Switch' | 'Logical_Router') => (one: string) =>
    ({ table, id: one, column: 'load_balancer' }) satisfies Membership;
  return [
    ...checks,
    {
      table: 'Load_Balancer',
      id,
      row: {
        name: text.plain(id),
        protocol: [text.word(protocol)],
        vips: text.vips(vips),
        health_check: text.plains(checks.map((row) => row.id)),
        ip_port_mappings: check ? mappings(members, portsOf) : {},
        selection_fields: SOURCE_IP_PORT,
        options: {
          // Without members, clients are refused at once.
          reject: text.word('true'),
          // The MAC stays the same on a network's guests, whichever routers are added or removed.
          neighbor_responder: text.word(isRouted ? 'reachable' : 'none'),
          ...(affinitySeconds === null ? {} : { affinity_timeout: text.numeral(affinitySeconds) }),
        },
        ...partOf(balancerId),
      },
      memberOf: [...networkIds.map(on('Logical_Switch')), ...routerIds.map(on('Logical_Router'))],
    },
  ];
}

function checkRow(
  balancerId: string,
  listenerId: string,
  vip: text.OvnAddress,
  check: NonNullable<BalancerListenerSpec['check']>,
): WantedRow {
  return {
    table: 'Load_Balancer_Health_Check',
    id: derivedId(listenerId, 'check', vip),
    row: {
      vip,
      options: {
        interval: text.numeral(check.intervalSeconds),
        timeout: text.numeral(check.timeoutSeconds),
        success_count: text.numeral(check.successCount),
        failure_count: text.numeral(check.failureCount),
      },
      ...partOf(balancerId),
    },
  };
}

/** The port of each member's address, and the source address of its checks. */
function mappings(
  members: readonly BalancerMemberSpec[],
  portsOf: BalancerPlace['portsOf'],
): Readonly<Record<string, text.OvnAddress>> {
  return text.portMappings(
    members.flatMap(({ id, address, checkedFrom }) => {
      const portId = portsOf.get(id);
      return portId === undefined || checkedFrom === null ? [] : [{ address, portId, checkedFrom }];
    }),
  );
}

/**
 * A router of its own that holds the addresses: it answers ARP, and forwards to members what the
 * switch has already balanced.
 */
function answererRows(
  { id, networkId, macAddress, addresses }: BalancerSpec,
  { routes: ways }: BalancerPlace,
): WantedRow[] {
  const router = derivedId(id, 'answerer');
  const port = derivedId(id, 'answerer', 'port');
  const name = routerPortName(port);
  const networks = addresses.map(({ address, cidr }) => text.addressIn(address, cidr));
  const routes = ways.map(({ destination, nexthop }) => ({
    table: 'Logical_Router_Static_Route' as const,
    id: derivedId(id, 'route', destination, nexthop),
    row: {
      ip_prefix: text.network(destination),
      nexthop: text.address(nexthop),
      output_port: text.plains([name]),
      ...partOf(id),
    },
  }));
  return [
    ...routes,
    {
      table: 'Logical_Router_Port',
      id: port,
      row: {
        name: text.plain(name),
        mac: text.macAddress(macAddress),
        networks,
        enabled: [true],
        ...partOf(id),
      },
    },
    {
      table: 'Logical_Switch_Port',
      id: port,
      row: {
        name: text.plain(port),
        type: text.word('router'),
        addresses: [text.OF_ROUTER],
        options: { 'router-port': text.plain(name) },
        ...partOf(id),
      },
      memberOf: [{ table: 'Logical_Switch', id: networkId }],
    },
    {
      table: 'Logical_Router',
      id: router,
      row: {
        name: text.plain(router),
        enabled: [true],
        ports: text.plains([port]),
        static_routes: text.plains(routes.map((row) => row.id)),
        ...partOf(id),
      },
    },
  ];
}

const isV6 = (address: string): boolean => address.includes(':');
