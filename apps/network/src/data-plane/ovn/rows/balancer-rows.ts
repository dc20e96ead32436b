/**
 * A balancer is a load balancer for each listener, on the switches and routers whose guests reach it.
 * One more has no address: it stands for the whole. Public sources: ovn-nb(5), "Load_Balancer",
 * "Load_Balancer_Health_Check"; ovn-octavia-provider, `helper.py`.
 */
import type {
  BalancerListenerSpec,
  BalancerMemberSpec,
  BalancerSpec,
} from '../../balancer-spec.js';
import type { BalancerPlace } from './balancer-place.js';
import {
  derivedId,
  markOf,
  partOf,
  routerPortName,
  type Membership,
  type WantedRow,
} from './northbound.js';

export function balancerRows(balancer: BalancerSpec, place: BalancerPlace): WantedRow[] {
  const { id, listeners } = balancer;
  return [
    {
      table: 'Load_Balancer',
      id,
      row: { name: id, protocol: [], vips: {}, ...markOf('balancer', balancer) },
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
    const ends = same.map((one) => endpoint(one.address, one.port));
    return [endpoint(address, port), ends.join(',')] as const;
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
        name: id,
        protocol: [protocol],
        vips: Object.fromEntries(vips),
        health_check: checks.map((row) => row.id),
        ip_port_mappings: check ? mappings(members, portsOf) : {},
        // As `SOURCE_IP_PORT` has it.
        selection_fields: ['ip_src', 'ip_dst', 'tp_src', 'tp_dst'],
        options: {
          // Who comes while no member is there need not wait.
          reject: 'true',
          // A network's guests keep the one MAC, whichever routers come and go.
          neighbor_responder: isRouted ? 'reachable' : 'none',
          ...(affinitySeconds === null ? {} : { affinity_timeout: String(affinitySeconds) }),
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
  vip: string,
  check: NonNullable<BalancerListenerSpec['check']>,
): WantedRow {
  return {
    table: 'Load_Balancer_Health_Check',
    id: derivedId(listenerId, 'check', vip),
    row: {
      vip,
      options: {
        interval: String(check.intervalSeconds),
        timeout: String(check.timeoutSeconds),
        success_count: String(check.successCount),
        failure_count: String(check.failureCount),
      },
      ...partOf(balancerId),
    },
  };
}

/** Which port has which member's address, and from where it is checked. */
function mappings(
  members: readonly BalancerMemberSpec[],
  portsOf: BalancerPlace['portsOf'],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    members.flatMap((member) => {
      const port = portsOf.get(member.id);
      if (port === undefined || member.checkedFrom === null) return [];
      return [[bracketed(member.address), `${port}:${bracketed(member.checkedFrom)}`] as const];
    }),
  );
}

/**
 * A router of its own that has the addresses: it answers to ARP, and passes on to the members what
 * the switch has already balanced.
 */
function answererRows(
  { id, networkId, macAddress, addresses }: BalancerSpec,
  { routes: ways }: BalancerPlace,
): WantedRow[] {
  const router = derivedId(id, 'answerer');
  const port = derivedId(id, 'answerer', 'port');
  const name = routerPortName(port);
  const networks = addresses.map(({ address, cidr }) => `${address}/${cidr.split('/')[1] ?? ''}`);
  const routes = ways.map(({ destination: ip_prefix, nexthop }) => ({
    table: 'Logical_Router_Static_Route' as const,
    id: derivedId(id, 'route', ip_prefix, nexthop),
    row: { ip_prefix, nexthop, output_port: [name], ...partOf(id) },
  }));
  return [
    ...routes,
    {
      table: 'Logical_Router_Port',
      id: port,
      row: { name, mac: macAddress, networks, enabled: [true], ...partOf(id) },
    },
    {
      table: 'Logical_Switch_Port',
      id: port,
      row: {
        name: port,
        type: 'router',
        addresses: ['router'],
        options: { 'router-port': name },
        ...partOf(id),
      },
      memberOf: [{ table: 'Logical_Switch', id: networkId }],
    },
    {
      table: 'Logical_Router',
      id: router,
      row: {
        name: router,
        enabled: [true],
        ports: [port],
        static_routes: routes.map((row) => row.id),
        ...partOf(id),
      },
    },
  ];
}

const isV6 = (address: string): boolean => address.includes(':');

const bracketed = (address: string): string => (isV6(address) ? `[${address}]` : address);

const endpoint = (address: string, port: number): string => `${bracketed(address)}:${port}`;
