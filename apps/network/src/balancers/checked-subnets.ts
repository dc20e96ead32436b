import { contains, parseCidr, parseIp } from '@cumulet/common/addresses/ip-address';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { Subnet } from '../subnets/subnet.entity.js';
import type { BalancerDto, BalancerMemberDto, BalancerListenerDto } from './balancer.dto.js';
import type { BalancerListenerSpec, BalancerSpec } from '../data-plane/balancer-spec.js';
import { ports } from '../ports/port.repository.js';
import { isPresent } from '../resource/resource.table.js';
import type { Balancer } from './balancer.entity.js';
import { BalancerWithoutPortError } from './balancer.errors.js';

export type Place = Pick<Subnet, 'id' | 'networkId' | 'cidr'>;

/**
 * @returns the subnet that the member names, or else one of the balancer's network; undefined if
 * none contains the address
 */
export function subnetOf(
  { address, subnet_id: named }: BalancerMemberDto,
  networkId: string,
  all: readonly Place[],
): Place | undefined {
  return all.find(
    (one) => (named === null ? one.networkId === networkId : one.id === named) && has(one, address),
  );
}

/** The subnets with members that are checked, in the order in which they are locked. */
export function checkedSubnets(
  { listeners }: Pick<BalancerDto, 'listeners'>,
  networkId: string,
  all: readonly Place[],
): Place[] {
  const members = listeners.flatMap((one) => (one.health_check ? one.members : []));
  const found = new Set(members.flatMap((member) => subnetOf(member, networkId, all) ?? []));
  return [...found].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function has({ cidr }: Place, address: string): boolean {
  const [range, ip] = [parseCidr(cidr), parseIp(address)];
  return range !== undefined && ip !== undefined && contains(range, ip);
}

/** A subnet with the source address of its health checks. */
interface Checked extends Place {
  readonly source: string | null;
}

/** The balancer as the data plane gets it. @throws BalancerWithoutPortError */
export async function balancerSpecOf(ctx: RequestContext, row: Balancer): Promise<BalancerSpec> {
  const { id, projectId, vipPortId, adminStateUp, listeners } = row;
  const port = await ports.find(ctx, vipPortId, [isPresent]);
  if (!port) throw new BalancerWithoutPortError(vipPortId);
  const { networkId, macAddress, fixedIps } = port;
  const subnets = await subnetsFor(ctx, networkId, listeners);
  return {
    id,
    projectId,
    portId: vipPortId,
    networkId,
    macAddress,
    addresses: fixedIps.map(({ subnet_id, ip_address }) => ({
      address: ip_address,
      cidr: subnets.find((one) => one.id === subnet_id)?.cidr ?? '',
    })),
    listeners:
      adminStateUp && port.adminStateUp
        ? listeners.map((one) => listenerSpecOf(one, networkId, subnets))
        : [],
  };
}

/** The subnets of the balancer's network and those that members name. */
export function subnetsFor(
  { manager }: RequestContext,
  networkId: string,
  listeners: readonly BalancerListenerDto[],
): Promise<Checked[]> {
  const named = listeners.flatMap(({ members }) => members.map((member) => member.subnet_id));
  return preparedRows(
    manager,
    `SELECT id, network_id AS "networkId", cidr::text,
            (SELECT host(address) FROM balancer_sources AS one
               JOIN ip_allocations ON ip_allocations.port_id = one.port_id
              WHERE one.subnet_id = subnets.id LIMIT 1) AS source
       FROM subnets WHERE network_id = $1 OR id = ANY($2::uuid[])
      ORDER BY created_at, id`,
    [networkId, [...new Set(named)].filter((id) => id !== null)],
  );
}

function listenerSpecOf(
  listener: BalancerListenerDto,
  vipNetworkId: string,
  subnets: readonly Checked[],
): BalancerListenerSpec {
  const { id, protocol, protocol_port: port, affinity_timeout, health_check } = listener;
  const members = listener.members.map((member) => {
    const subnet = subnetOf(member, vipNetworkId, subnets) as Checked | undefined;
    return {
      id: member.id,
      address: member.address,
      port: member.protocol_port,
      networkId: subnet?.networkId ?? null,
      checkedFrom: subnet?.source ?? null,
    };
  });
  return {
    id,
    protocol,
    port,
    affinitySeconds: affinity_timeout,
    members,
    check: health_check && {
      intervalSeconds: health_check.interval,
      timeoutSeconds: health_check.timeout,
      successCount: health_check.success_count,
      failureCount: health_check.failure_count,
    },
  };
}
