/**
 * Chooses the port and router of a floating IP. Public source: neutron, `_internal_fip_assoc_data`
 * and `get_router_for_floatingip` in `db/l3_db.py`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { equals } from '@cumulet/common/tables/condition';
import { BadRequestError } from '@cumulet/common/resources/resource.errors';
import { parseIp } from '@cumulet/common/addresses/ip-address';
import type { Port } from '../ports/port.entity.js';
import type { FixedIp } from '../ports/port.resource.js';
import { ports, visiblePorts } from '../ports/port.repository.js';
import { lockThrough } from '../router-locks/router-locks.js';
import type { FloatingIp } from './floatingip.entity.js';
import { ExternalGatewayForFloatingIPNotFoundError } from './floatingip.errors.js';

export interface AskedPort {
  readonly portId: string;
  /** Undefined if the port has only one. */
  readonly address: string | undefined;
}

export interface TargetPort {
  readonly portId: string;
  readonly address: string;
  readonly routerId: string;
}

type From = Pick<FloatingIp, 'projectId' | 'floatingNetworkId'>;

/**
 * Locks the port and its router until the transaction ends.
 * @param others further routers that the transaction will change, called under the lock
 * @param lock locks further rows that the transaction will change, after the port
 * @throws BadRequestError for a port that cannot have a floating IP
 * @throws ExternalGatewayForFloatingIPNotFoundError if no router connects the two networks
 */
export async function lockTarget(
  tx: RequestContext,
  from: From,
  asked: AskedPort,
  others: () => Promise<readonly (string | null)[]> = () => Promise.resolve([]),
  lock: () => Promise<unknown> = () => Promise.resolve(),
): Promise<TargetPort> {
  const reached = (): Promise<TargetPort> => reachedPort(tx, from, asked);
  await lockThrough(
    tx,
    async () => [(await reached()).routerId, ...(await others())],
    async () => {
      await ports.select(tx, [equals('id', asked.portId)], 'FOR SHARE');
      await lock();
    },
  );
  return reached();
}

async function reachedPort(
  tx: RequestContext,
  from: From,
  { portId, address }: AskedPort,
): Promise<TargetPort> {
  const port = await ports.get(tx, portId, visiblePorts(tx));
  if (port.projectId !== from.projectId && !tx.isAdmin) {
    throw new BadRequestError(
      'floatingip',
      `Cannot process floating IP association with Port ${portId}, since that port is owned by a different project`,
    );
  }
  if (port.deviceOwner === 'network:dhcp') {
    throw new BadRequestError(
      'floatingip',
      `Port ${portId} is unable to be assigned a floating IP`,
    );
  }
  const fixed = fixedOf(port, address);
  const routerId = await routerTo(tx, port, fixed.subnet_id, from.floatingNetworkId);
  if (routerId === undefined) {
    throw new ExternalGatewayForFloatingIPNotFoundError(
      from.floatingNetworkId,
      fixed.subnet_id,
      portId,
    );
  }
  return { portId: port.id, address: fixed.ip_address, routerId };
}

function fixedOf({ id, fixedIps }: Port, address: string | undefined): FixedIp {
  if (address !== undefined) {
    if (parseIp(address)?.version !== 4) {
      throw new BadRequestError(
        'floatingip',
        `Cannot process floating IP association with ${address}, since that is not an IPv4 address`,
      );
    }
    const named = fixedIps.find(({ ip_address }) => ip_address === address);
    if (named) return named;
    throw new BadRequestError('floatingip', `Port ${id} does not have fixed ip ${address}`);
  }
  const [first, ...others] = v4Of(fixedIps);
  if (!first) {
    throw new BadRequestError(
      'floatingip',
      `Cannot add floating IP to port ${id} that has no fixed IPv4 addresses`,
    );
  }
  if (others.length > 0) {
    throw new BadRequestError(
      'floatingip',
      `Port ${id} has multiple fixed IPv4 addresses. Must provide a specific IPv4 address when assigning a floating IP`,
    );
  }
  return first;
}

export function v4Of(fixedIps: readonly FixedIp[]): FixedIp[] {
  return fixedIps.filter(({ ip_address }) => parseIp(ip_address)?.version === 4);
}

/** @returns the router between the two, preferably the one that is the subnet's gateway */
export async function routerTo(
  tx: RequestContext,
  { networkId }: Pick<Port, 'networkId'>,
  subnetId: string,
  externalNetworkId: string,
): Promise<string | undefined> {
  const [row] = await preparedRows<{ id: string }>(
    tx.manager,
    `SELECT inside.router_id AS id
       FROM router_ports AS inside
       JOIN ports ON ports.id = inside.port_id AND ports.network_id = $1
       JOIN ip_allocations ON ip_allocations.port_id = ports.id AND subnet_id = $2
       JOIN subnets ON subnets.id = subnet_id
      WHERE inside.kind = 'interface' AND EXISTS (
              SELECT FROM router_ports AS outside JOIN ports ON ports.id = outside.port_id
               WHERE outside.router_id = inside.router_id AND outside.kind = 'gateway'
                 AND ports.network_id = $3)
      ORDER BY (host(address) = gateway_ip) IS TRUE DESC, inside.router_id LIMIT 1`,
    [networkId, subnetId, externalNetworkId],
  );
  return row?.id;
}
