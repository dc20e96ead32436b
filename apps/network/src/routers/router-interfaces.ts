/**
 * A router's ports on internal networks. Public source: neutron, `add_router_interface` and
 * `remove_router_interface` in `db/l3_db.py`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { equals, oneOf } from '@cumulet/common/tables/condition';
import { BadRequestError } from '@cumulet/common/resources/resource.errors';
import { contains, parseIp } from '@cumulet/common/addresses/ip-address';
import { removePort, reapplyPort } from '../ports/apply-port.js';
import { freeAddresses, lockSubnets, allocateAddresses } from '../ports/port-addresses.js';
import type { Port } from '../ports/port.entity.js';
import { PortInUseError } from '../ports/port.errors.js';
import { ports, visiblePorts } from '../ports/port.repository.js';
import { lockNetworks, makeServicePort } from '../ports/service-ports.js';
import { rangeOf } from '../subnets/allocation-pools.js';
import type { Subnet } from '../subnets/subnet.entity.js';
import { subnets, visibleSubnets } from '../subnets/subnet.repository.js';
import { attachedSubnets, refuseOverlap, holds } from './attached-subnets.js';
import { routerPorts, type Router } from './router.entity.js';
import * as errors from './router.errors.js';
import {
  RouterInterfaceInUseByFloatingIPError,
  RouterInterfaceInUseByRouteError,
} from './router.errors.js';

export interface Interface {
  readonly port: Port;
  readonly subnets: readonly Pick<Subnet, 'id'>[];
}

export const INTERFACE_OWNER = 'network:router_interface';

export async function addBySubnet(
  tx: RequestContext,
  router: Router,
  subnetId: string,
): Promise<Interface> {
  const { networkId } = await subnets.get(tx, subnetId, visibleSubnets(tx));
  await lockNetworks(tx, [networkId]);
  const subnet = await subnets.get(tx, subnetId);
  const { id, gatewayIp } = subnet;
  if (gatewayIp === null)
    throw new BadRequestError('router', 'Subnet for router interface must have a gateway IP');
  if (subnet.projectId !== tx.projectId && !tx.isAdmin) {
    throw new BadRequestError(
      'router',
      `Cannot add interface to router because subnet ${id} is not owned by project making the request`,
    );
  }
  refuseAdvertisedElsewhere(subnet);
  refuseOverlap(await attachedSubnets(tx, router.id), [subnet], 'interface');
  const asked = { subnet_id: id, ip_address: gatewayIp };
  const beside = subnet.ipVersion === 6 ? await findV6Interface(tx, router, networkId) : undefined;
  if (beside) {
    // A router has one IPv6 port on a network, with all of its prefixes.
    const all = await lockSubnets(tx, networkId);
    const own = all.filter((one) => one.id === id);
    await allocateAddresses(
      tx,
      beside,
      [{ subnets: own, address: gatewayIp }],
      beside.fixedIps.length,
    );
    await reapplyPort(tx, beside);
    return { port: await ports.get(tx, beside.id), subnets: [subnet] };
  }
  const port = await makeServicePort(tx, {
    projectId: router.projectId,
    networkId,
    fixedIps: [asked],
    deviceId: router.id,
    deviceOwner: INTERFACE_OWNER,
  });
  await routerPorts.insert(tx, { portId: port.id, routerId: router.id, kind: 'interface' });
  return { port, subnets: [subnet] };
}

export async function addByPort(
  tx: RequestContext,
  router: Router,
  portId: string,
): Promise<Interface> {
  const { id } = await ports.get(tx, portId, visiblePorts(tx));
  const port = await ports.lock(tx, id);
  if (port.deviceId !== '') throw new PortInUseError(port.id, port.networkId, port.deviceId);
  if (port.fixedIps.length === 0)
    throw new BadRequestError('router', 'Router port must have at least one fixed IP');
  const own = await subnetsOf(tx, port);
  own.forEach(refuseAdvertisedElsewhere);
  refuseOverlap(await attachedSubnets(tx, router.id), own, 'interface');
  if (own.filter(({ ipVersion }) => ipVersion === 4).length > 1)
    throw new BadRequestError('router', 'Cannot have multiple IPv4 subnets on router port');
  refuseOutOfPools(tx, port, own);
  await ports.revise(tx, port, { deviceId: router.id, deviceOwner: INTERFACE_OWNER });
  await routerPorts.insert(tx, { portId: port.id, routerId: router.id, kind: 'interface' });
  await reapplyPort(tx, port);
  return { port, subnets: own };
}

/** @param subnetId must be a subnet of the port, if given */
export async function removeByPort(
  tx: RequestContext,
  router: Router,
  portId: string,
  subnetId: string | undefined,
): Promise<Interface> {
  await routerPorts.get(tx, { portId, routerId: router.id, kind: 'interface' });
  const port = await ports.lock(tx, portId);
  const own = await subnetsOf(tx, port);
  if (subnetId !== undefined && !own.some(({ id }) => id === subnetId))
    throw new errors.SubnetMismatchForPortError(portId, subnetId);
  await refuseIfNeeded(tx, router, own);
  await removeInterface(tx, port);
  return { port, subnets: own };
}

export async function removeBySubnet(
  tx: RequestContext,
  router: Router,
  subnetId: string,
): Promise<Interface> {
  const subnet = await subnets.get(tx, subnetId, visibleSubnets(tx));
  const attached = await attachedSubnets(tx, router.id);
  const found = attached.find(({ id, kind }) => kind === 'interface' && id === subnet.id);
  if (!found) throw new errors.RouterInterfaceNotFoundForSubnetError(router.id, subnet.id);
  const port = await ports.lock(tx, found.portId);
  await refuseIfNeeded(tx, router, [subnet]);
  const gone = port.fixedIps.filter(({ subnet_id }) => subnet_id === subnet.id);
  if (gone.length === port.fixedIps.length) {
    await removeInterface(tx, port);
  } else {
    await freeAddresses(tx, port, gone, await lockSubnets(tx, port.networkId));
    await reapplyPort(tx, port);
  }
  return { port, subnets: [subnet] };
}

async function removeInterface(tx: RequestContext, port: Port): Promise<void> {
  await routerPorts.deleteAll(tx, [equals('portId', port.id)]);
  await removePort(tx, port);
}

function subnetsOf(tx: RequestContext, { fixedIps }: Port): Promise<Subnet[]> {
  const ids = fixedIps.map(({ subnet_id }) => subnet_id);
  return subnets.select(tx, [oneOf('id', ids)], 'ORDER BY id');
}

async function findV6Interface(
  tx: RequestContext,
  { id }: Router,
  networkId: string,
): Promise<Port | undefined> {
  const own = await routerPorts.select(tx, [equals('routerId', id), equals('kind', 'interface')]);
  const ids = own.map(({ portId }) => portId);
  const there = await ports.lockAll(tx, ids, [equals('networkId', networkId)]);
  return there.find(({ fixedIps }) =>
    fixedIps.some(({ ip_address }) => parseIp(ip_address)?.version === 6),
  );
}

function refuseAdvertisedElsewhere({ id, ipv6RaMode, ipv6AddressMode }: Subnet): void {
  if (ipv6RaMode !== null || ipv6AddressMode === null) return;
  throw new BadRequestError(
    'router',
    `IPv6 subnet ${id} configured to receive RAs from an external router cannot be added to Neutron Router`,
  );
}

/** On another project's subnet, a router's address must be from the allocation pools. */
function refuseOutOfPools(tx: RequestContext, port: Port, own: readonly Subnet[]): void {
  if (tx.isAdmin) return;
  for (const { subnet_id: id, ip_address: address } of port.fixedIps) {
    const subnet = own.find((one) => one.id === id);
    const ip = parseIp(address);
    const isPooled = subnet?.allocationPools.some((pool) => {
      const range = rangeOf(pool);
      return ip !== undefined && range !== undefined && contains(range, ip);
    });
    if (isPooled !== true && subnet?.projectId !== tx.projectId) {
      throw new BadRequestError(
        'router',
        `Cannot add interface to router because specified port ${port.id} has an IP address out of the allocation pool of subnet ${id}, which is not owned by the project making the request`,
      );
    }
  }
}

/**
 * An interface stays while something needs it.
 * @throws RouterInterfaceInUseByFloatingIPError for a subnet with addresses of floating IPs
 * @throws RouterInterfaceInUseByRouteError for a subnet with next hops of routes
 */
async function refuseIfNeeded(
  tx: RequestContext,
  { id, routes }: Router,
  subnets: readonly Subnet[],
): Promise<void> {
  for (const subnet of subnets) {
    if (await isReferenced(tx, id, subnet.id))
      throw new RouterInterfaceInUseByFloatingIPError(id, subnet.id);
    if (routes.some(({ nexthop }) => holds(subnet.cidr, nexthop)))
      throw new RouterInterfaceInUseByRouteError(id, subnet.id);
  }
}

/** Whether floating IPs or port forwardings of the router lead to the subnet. */
async function isReferenced(
  tx: RequestContext,
  routerId: string,
  subnetId: string,
): Promise<boolean> {
  const rows = await preparedRows(
    tx.manager,
    `SELECT FROM (
       SELECT fixed_port_id AS port_id, fixed_ip_address AS address
         FROM floating_ips WHERE router_id = $1
        UNION ALL
       SELECT internal_port_id, internal_ip_address
         FROM port_forwardings JOIN floating_ips ON floating_ips.id = floatingip_id
        WHERE router_id = $1) AS led
       JOIN ip_allocations USING (port_id, address)
      WHERE subnet_id = $2 LIMIT 1`,
    [routerId, subnetId],
  );
  return rows.length > 0;
}
