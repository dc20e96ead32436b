/** What the data plane is told of a router: all of it, as the rows are now. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { RouterPortSpec, RouterSpec } from '../data-plane/data-plane.js';
import type { Router, RouterPortKind } from './router.entity.js';

export async function routerSpecOf(ctx: RequestContext, router: Router): Promise<RouterSpec> {
  const { id, adminStateUp, enableSnat, routes } = router;
  const ports = await portsOf(ctx, id);
  const those = (kind: RouterPortKind): RouterPortSpec[] =>
    ports.filter((port) => port.kind === kind).map(({ kind: _, ...spec }) => spec);
  return {
    ...{ id, adminStateUp, routes },
    interfaces: those('interface'),
    gateways: those('gateway').map((port) => ({ ...port, enableSnat })),
    floatingIps: [],
    portForwardings: [],
  };
}

function portsOf(
  ctx: RequestContext,
  routerId: string,
): Promise<(RouterPortSpec & { readonly kind: RouterPortKind })[]> {
  return preparedRows(
    ctx.manager,
    `SELECT kind, ports.id AS "portId", network_id AS "networkId", mac_address AS "macAddress", mtu,
            ports.admin_state_up AS "adminStateUp",
            (SELECT COALESCE(jsonb_agg(jsonb_build_object(
                      'subnetId', subnet_id, 'address', host(address), 'cidr', cidr::text,
                      'gatewayIp', gateway_ip, 'ipv6RaMode', ipv6_ra_mode)
                      ORDER BY ip_allocations.position), '[]')
               FROM ip_allocations JOIN subnets ON subnets.id = subnet_id
              WHERE port_id = ports.id) AS addresses
       FROM router_ports
       JOIN ports ON ports.id = port_id
       JOIN networks ON networks.id = network_id
      WHERE router_id = $1
      ORDER BY position, ports.id`,
    [routerId],
  );
}
