/**
 * Which port a port forwarding leads to, and by which router. Public source: neutron,
 * `_find_a_router_for_fip_port_forwarding` in `services/portforwarding/pf_plugin.py`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals } from '@cumulet/common/tables/condition';
import { BadRequestError } from '@cumulet/common/resources/resource.errors';
import type { FloatingIp } from '../floatingips/floatingip.entity.js';
import { floatingIps } from '../floatingips/floatingip.table.js';
import { routerTo, v4Of, type AskedPort, type ReachedPort } from '../floatingips/reached-port.js';
import { ports, visiblePorts } from '../ports/ports.service.js';
import { lockThrough } from '../router-locks/router-locks.js';
import { PortHasBindingFloatingIPError } from './port-forwarding.errors.js';

export type ForwardedPort = ReachedPort;

/** The port and its router, neither of which changes before the transaction ends. */
export async function lockForwarded(
  tx: RequestContext,
  floatingIp: FloatingIp,
  asked: AskedPort,
): Promise<ForwardedPort> {
  const forwarded = (): Promise<ForwardedPort> => forwardedPort(tx, floatingIp, asked);
  await lockThrough(
    tx,
    async () => [(await forwarded()).routerId, (await floatingIps.get(tx, floatingIp.id)).routerId],
    async () => {
      // Alone: port forwardings of other floating IPs may lead to the same ports of it.
      await ports.select(tx, [equals('id', asked.portId)], 'FOR NO KEY UPDATE');
      await floatingIps.lock(tx, floatingIp.id);
    },
  );
  return forwarded();
}

async function forwardedPort(
  tx: RequestContext,
  { id, floatingNetworkId }: FloatingIp,
  { portId, address }: AskedPort,
): Promise<ForwardedPort> {
  const port = await ports.get(tx, portId, visiblePorts(tx));
  const all = v4Of(port.fixedIps);
  if (all.length === 0) {
    throw new BadRequestError(
      'port_forwarding',
      `Requested internal port ${portId} must allocate an IPv4 address at least`,
    );
  }
  const fixed = address === undefined ? all[0] : all.find((one) => one.ip_address === address);
  if (!fixed) {
    throw new BadRequestError(
      'port_forwarding',
      `Requested internal IP address ${address ?? ''} is not suitable for internal neutron port ${portId}, as its fixed_ips are ${all.map((one) => one.ip_address).join(', ')}`,
    );
  }
  const [bound] = await floatingIps.select(tx, [equals('fixedPortId', port.id)]);
  if (bound) {
    throw new PortHasBindingFloatingIPError(
      bound.floatingIpAddress,
      bound.id,
      port.id,
      fixed.ip_address,
    );
  }
  const routerId = await routerTo(tx, port, fixed.subnet_id, floatingNetworkId);
  if (routerId === undefined) {
    throw new BadRequestError(
      'port_forwarding',
      `External network ${floatingNetworkId} is not reachable from subnet ${fixed.subnet_id}. Cannot set Port forwarding for port ${portId} with Floating IP ${id}`,
    );
  }
  return { portId: port.id, address: fixed.ip_address, routerId };
}
