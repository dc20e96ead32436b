/**
 * A router is a logical router. Each of its ports is one of the router and one of the network's
 * switch, which name each other. Public sources: ovn-nb(5); neutron, `common/ovn`.
 */
import type { GatewaySpec, RouterPortSpec, RouterSpec } from '../../data-plane.js';
import { derivedId, markOf, partOf, routerPortName, type WantedRow } from './northbound.js';
import { natRows } from './nat-rows.js';
import { forwardingRows } from './forwarding-rows.js';
import { routerQosRows } from './qos-rows.js';
import { routeRows } from './route-rows.js';

/** The hosts that a gateway may be on, the first before the others. */
export type HostsFor = (gateway: GatewaySpec) => readonly string[];

export function routerRows(router: RouterSpec, hostsFor: HostsFor): WantedRow[] {
  const { id, interfaces, gateways } = router;
  const routes = routeRows(router);
  const nat = natRows(router);
  const idsOf = (rows: readonly WantedRow[]) => rows.map((row) => row.id);
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
        name: id,
        enabled: [router.adminStateUp],
        ports: [...interfaces, ...gateways].map(({ portId }) => portId),
        static_routes: idsOf(routes),
        nat: idsOf(nat),
        ...markOf('router', router),
      },
    },
    // Balancers have theirs there as well.
    ...forwardingRows(router),
  ];
}

function gatewayRows(router: string, port: GatewaySpec, chassis: readonly string[]): WantedRow[] {
  const name = routerPortName(port.portId);
  const rows = chassis.map((one, index) => ({
    table: 'Gateway_Chassis' as const,
    id: derivedId(port.portId, 'chassis', one),
    row: {
      name: `${name}_${one}`,
      chassis_name: one,
      priority: chassis.length - index,
      ...partOf(router),
    },
  }));
  const [routerPort, switchPort] = portRows(router, port, {
    gateway_chassis: rows.map(({ id }) => id),
    // What the world behind its network is told when the gateway moves to another host.
    options: { 'nat-addresses': 'router' },
  });
  return [...rows, routerPort, switchPort];
}

function portRows(
  router: string,
  port: RouterPortSpec,
  gateway: {
    readonly gateway_chassis: string[];
    readonly options: Readonly<Record<string, string>>;
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
        name,
        mac: macAddress,
        networks: addresses.map(({ address, cidr }) => `${address}/${cidr.split('/')[1] ?? ''}`),
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
        name: id,
        type: 'router',
        addresses: ['router'],
        // Of a port that was told by itself before.
        port_security: [],
        enabled: [],
        dhcpv4_options: [],
        dhcpv6_options: [],
        options: { 'router-port': name, ...gateway.options },
        ...partOf(router),
      },
      memberOf: [{ table: 'Logical_Switch', id: networkId }],
    },
  ];
}

/** One port advertises one way for all of its subnets. */
function advertisements({ addresses, mtu }: RouterPortSpec): Readonly<Record<string, string>> {
  const mode = addresses.find(({ ipv6RaMode }) => ipv6RaMode !== null)?.ipv6RaMode;
  if (mode === undefined || mode === null) return {};
  return {
    address_mode: mode.replaceAll('-', '_'),
    send_periodic: 'true',
    mtu: String(mtu),
  };
}
