/**
 * A router is a logical router. Each of its ports is one of the router and one of the network's
 * switch, which name each other. Public sources: ovn-nb(5); neutron, `common/ovn`.
 */
import { addressIn, macAddress as written, numeral } from '../../../languages/ovsdb-text.js';
import {
  OF_ROUTER,
  plain,
  plains,
  word,
  type OvsdbText,
  type OvsdbWord,
} from '../../../languages/ovsdb-text.js';
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
      name: plain(`${name}_${one}`),
      chassis_name: plain(one),
      priority: chassis.length - index,
      ...partOf(router),
    },
  }));
  const [routerPort, switchPort] = portRows(router, port, {
    gateway_chassis: plains(rows.map(({ id }) => id)),
    // What the world behind its network is told when the gateway moves to another host.
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
        // Of a port that was told by itself before.
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

/** Neutron's modes → OVN's. */
const ADDRESS_MODES: ReadonlyMap<string, OvsdbWord> = new Map([
  ['slaac', word('slaac')],
  ['dhcpv6-stateful', word('dhcpv6_stateful')],
  ['dhcpv6-stateless', word('dhcpv6_stateless')],
]);

/** One port advertises one way for all of its subnets. */
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
