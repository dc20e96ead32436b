/**
 * A router is a logical router. Each of its ports is a pair: a port of the router and one of the
 * network's switch, which refer to each other. Public sources: ovn-nb(5); neutron, `common/ovn`.
 */
import {
  addressIn,
  macAddress as written,
  numeral,
  OF_ROUTER,
  plain,
  plains,
  word,
  endpoint,
  vips,
  address as writtenAddress,
  network,
} from '../../../languages/ovsdb-text.js';
import type { OvsdbText, OvsdbWord, OvnAddress } from '../../../languages/ovsdb-text.js';
import type {
  GatewaySpec,
  RouterPortSpec,
  RouterSpec,
  PortForwardingSpec,
} from '../../data-plane.js';
import { derivedId, markOf, partOf, routerPortName, type WantedRow } from './northbound.js';
import { routerQosRows } from './qos-rows.js';

/** The candidate hosts of a gateway, in order of preference. */
export type HostsFor = (gateway: GatewaySpec) => readonly string[];

export function routerRows(router: RouterSpec, hostsFor: HostsFor): WantedRow[] {
  const { id, interfaces, gateways } = router;
  const routes = routeRows(router);
  const nat = natRows(router);
  const idsOf = (rows: readonly WantedRow[]) => plains(rows.map((row) => row.id));
  return [
    ...interfaces.flatMap((port) => portRows(id, port)),
    ...gateways.flatMap((port) => gatewayRows(id, port, hostsFor(port))),
    ...routes,
    ...nat,
    ...routerQosRows(router),
    {
      table: 'Logical_Router',
      id,
      row: {
        name: plain(id),
        enabled: [router.adminStateUp],
        ports: plains([...interfaces, ...gateways].map(({ portId }) => portId)),
        static_routes: idsOf(routes),
        nat: idsOf(nat),
        ...markOf('router', router),
      },
    },
    // Balancers also put their load balancers on the router.
    ...forwardingRows(router),
  ];
}

function gatewayRows(router: string, port: GatewaySpec, chassis: readonly string[]): WantedRow[] {
  const name = routerPortName(port.portId);
  const rows = chassis.map((one, index) => ({
    table: 'Gateway_Chassis' as const,
    id: derivedId(port.portId, 'chassis', one),
    row: {
      name: plain(`${name}_${one}`),
      chassis_name: plain(one),
      priority: chassis.length - index,
      ...partOf(router),
    },
  }));
  const [routerPort, switchPort] = portRows(router, port, {
    gateway_chassis: plains(rows.map(({ id }) => id)),
    // Announced to the physical network when the gateway moves to another host.
    options: { 'nat-addresses': word('router') },
  });
  return [...rows, routerPort, switchPort];
}

function portRows(
  router: string,
  port: RouterPortSpec,
  gateway: {
    readonly gateway_chassis: readonly OvsdbText[];
    readonly options: Readonly<Record<string, OvsdbWord>>;
  } = {
    gateway_chassis: [],
    options: {},
  },
): [WantedRow, WantedRow] {
  const { portId: id, networkId, macAddress, adminStateUp, addresses } = port;
  const name = routerPortName(id);
  return [
    {
      table: 'Logical_Router_Port',
      id,
      row: {
        name: plain(name),
        mac: written(macAddress),
        networks: addresses.map(({ address, cidr }) => addressIn(address, cidr)),
        enabled: [adminStateUp],
        gateway_chassis: gateway.gateway_chassis,
        ipv6_ra_configs: advertisements(port),
        ...partOf(router),
      },
    },
    {
      table: 'Logical_Switch_Port',
      id,
      row: {
        name: plain(id),
        type: word('router'),
        addresses: [OF_ROUTER],
        // Clears what an ordinary port had before the router took it over.
        port_security: [],
        enabled: [],
        dhcpv4_options: [],
        dhcpv6_options: [],
        options: { 'router-port': plain(name), ...gateway.options },
        ...partOf(router),
      },
      memberOf: [{ table: 'Logical_Switch', id: networkId }],
    },
  ];
}

/** OVN's names of Neutron's modes. */
const ADDRESS_MODES: ReadonlyMap<string, OvsdbWord> = new Map([
  ['slaac', word('slaac')],
  ['dhcpv6-stateful', word('dhcpv6_stateful')],
  ['dhcpv6-stateless', word('dhcpv6_stateless')],
]);

/** A port has one setting for all of its subnets. */
function advertisements({ addresses, mtu }: RouterPortSpec): Readonly<Record<string, OvsdbWord>> {
  const asked = addresses.find(({ ipv6RaMode }) => ipv6RaMode !== null)?.ipv6RaMode;
  const mode = asked === undefined || asked === null ? undefined : ADDRESS_MODES.get(asked);
  if (mode === undefined) return {};
  return {
    address_mode: mode,
    send_periodic: word('true'),
    mtu: numeral(mtu),
  };
}

/** The protocols that OVN's load balancers support. */
const PROTOCOLS = new Map([
  ['tcp', word('tcp')],
  ['udp', word('udp')],
  ['sctp', word('sctp')],
]);

/** Each is a load balancer with one backend. Public source: ovn-nb(5), "Load_Balancer". */
function forwardingRows({ id, portForwardings }: RouterSpec): WantedRow[] {
  return portForwardings.flatMap((forwarding): WantedRow[] => {
    const protocol = PROTOCOLS.get(forwarding.protocol);
    if (protocol === undefined) return [];
    const row = {
      name: plain(forwarding.id),
      protocol: [protocol],
      vips: virtualAddresses(forwarding),
      ...partOf(id),
    };
    const memberOf = [{ table: 'Logical_Router', id, column: 'load_balancer' }] as const;
    return [{ table: 'Load_Balancer', id: forwarding.id, row, memberOf }];
  });
}

function virtualAddresses(forwarding: PortForwardingSpec): Readonly<Record<string, OvnAddress>> {
  const { address, externalPorts, internalAddress, internalPorts } = forwarding;
  const [first, last] = externalPorts;
  const isOne = internalPorts[0] === internalPorts[1];
  const ports = Array.from({ length: last - first + 1 }, (_, index) => index);
  return vips(
    ports.map((index) => [
      endpoint(address, first + index),
      [endpoint(internalAddress, internalPorts[0] + (isOne ? 0 : index))],
    ]),
  );
}

/** Public source: ovn-nb(5), "NAT". */
function natRows(router: RouterSpec): WantedRow[] {
  return [
    ...router.gateways.flatMap((gateway) => sourceRows(router, gateway)),
    ...floatingRows(router),
  ];
}

/** SNAT of the interfaces' subnets to the gateway's address. */
function sourceRows({ id, interfaces }: RouterSpec, gateway: GatewaySpec): WantedRow[] {
  const external = gateway.addresses.find(({ address }) => isV4(address))?.address;
  if (!gateway.enableSnat || external === undefined) return [];
  const cidrs = interfaces.flatMap(({ addresses }) => addresses.map(({ cidr }) => cidr));
  return [...new Set(cidrs.filter(isV4))].map((cidr) => ({
    table: 'NAT' as const,
    id: derivedId(id, 'snat', gateway.portId, cidr),
    row: {
      type: word('snat'),
      external_ip: writtenAddress(external),
      logical_ip: network(cidr),
      gateway_port: plains([gateway.portId]),
      ...partOf(id),
    },
  }));
}

function floatingRows({ id, gateways, floatingIps }: RouterSpec): WantedRow[] {
  return floatingIps.map((floating) => {
    const gateway = gateways.find(({ networkId }) => networkId === floating.networkId);
    return {
      table: 'NAT',
      id: floating.id,
      row: {
        type: word('dnat_and_snat'),
        external_ip: writtenAddress(floating.address),
        logical_ip: writtenAddress(floating.fixedAddress),
        gateway_port: plains(gateway ? [gateway.portId] : []),
        ...partOf(id),
      },
    };
  });
}

function isV4(address: string): boolean {
  return !address.includes(':');
}

/** Default and extra routes. Public source: ovn-nb(5), "Logical_Router_Static_Route". */
function routeRows({ id, gateways, routes }: RouterSpec): WantedRow[] {
  const [first] = gateways;
  const ways = (first?.addresses ?? []).flatMap(({ gatewayIp }) =>
    first && gatewayIp !== null ? [{ gatewayIp, portId: first.portId }] : [],
  );
  return [
    ...ways.map(({ gatewayIp, portId }) =>
      route(id, gatewayIp.includes(':') ? '::/0' : '0.0.0.0/0', gatewayIp, [
        routerPortName(portId),
      ]),
    ),
    ...routes.map(({ destination, nexthop }) => route(id, destination, nexthop, [])),
  ];
}

function route(
  router: string,
  ip_prefix: string,
  nexthop: string,
  output_port: string[],
): WantedRow {
  return {
    table: 'Logical_Router_Static_Route',
    id: derivedId(router, 'route', ip_prefix, nexthop),
    row: {
      ip_prefix: network(ip_prefix),
      nexthop: writtenAddress(nexthop),
      output_port: plains(output_port),
      ...partOf(router),
    },
  };
}
