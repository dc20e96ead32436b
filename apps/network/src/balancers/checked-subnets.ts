/** On which subnets the members of a balancer are. Pure. */
import { contains, parseCidr, parseIp } from '@cumulet/common/addresses/ip-address';
import type { Subnet } from '../subnets/subnet.entity.js';
import type { BalancerDto, BalancerMemberDto } from './balancer.dto.js';

export type Place = Pick<Subnet, 'id' | 'networkId' | 'cidr'>;

/**
 * The subnet that a member is on: the one that it names, or else one of the balancer's own network;
 * undefined for an address that is not the subnet's.
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

/** The subnets with members that are to be checked, in one order for all. */
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
