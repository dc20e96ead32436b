/** The way out of a router, and its extra routes. Public source: ovn-nb(5), "Logical_Router_Static_Route". */
import { address, network, plains } from '../../../languages/ovsdb-text.js';
import type { RouterSpec } from '../../data-plane.js';
import { derivedId, partOf, routerPortName, type WantedRow } from './northbound.js';

export function routeRows({ id, gateways, routes }: RouterSpec): WantedRow[] {
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
      nexthop: address(nexthop),
      output_port: plains(output_port),
      ...partOf(router),
    },
  };
}
