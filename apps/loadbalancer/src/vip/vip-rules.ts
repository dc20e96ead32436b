/**
 * Where VIPs may be, besides what Octavia asks of them: not in the place of others' gateways, on hosts
 * themselves only where an administrator has offered it, and elsewhere only where something carries
 * their packets.
 */
import { asCaller, asService } from '@cumulet/clients/http/actor';
import type { Network, NetworkAgent, Subnet } from '@cumulet/clients/network/network-wire';
import {
  contains,
  isLoopback,
  overlap,
  parseCidr,
  parseIp,
} from '@cumulet/common/addresses/ip-address';
import { mayActOn } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { LoadBalancer } from '../tree/load-balancer.entity.js';
import { InvalidSubresourceError, ValidationExceptionError } from '../resources/octavia.errors.js';
import type { Networks } from '../network/networks.port.js';

type Vip = Pick<LoadBalancer, 'vipAddress' | 'vipSubnetId' | 'vipNetworkId' | 'additionalVips'>;

const LOOPBACK = '127.0.0.0/8';
/** The machine's own programs listen there. */
const KEPT = '127.0.0.0/16';

/**
 * @param vip of which the caller sees all that it names
 * @throws ValidationExceptionError
 */
export async function refuseVip(networks: Networks, ctx: RequestContext, vip: Vip): Promise<void> {
  const { vipNetworkId, vipSubnetId, additionalVips } = vip;
  const networkId = vipNetworkId ?? '';
  const [network, subnets, agents] = await Promise.all([
    networks.network(asCaller(ctx), networkId),
    networks.subnets(asCaller(ctx), { network_id: networkId }),
    networks.agents(asService(ctx)),
  ]);
  if (!network) throw new InvalidSubresourceError('Network', networkId);
  const addresses = [
    { subnetId: vipSubnetId, address: vip.vipAddress },
    ...additionalVips.map((one) => ({ subnetId: one.subnet_id, address: one.ip_address })),
  ];
  const chosen = addresses.flatMap(({ subnetId, address }) => {
    const subnet = subnets.find(({ id }) => id === subnetId);
    return subnet ? [{ subnet, address }] : [];
  });
  refuseUnreachable(
    network,
    chosen.map(({ subnet }) => subnet),
    agents,
  );
  for (const { subnet, address } of chosen) refuseAddress(ctx, network, subnet, address);
}

function refuseAddress(
  ctx: RequestContext,
  network: Network,
  { id, cidr, gatewayIp }: Subnet,
  address: string | null,
): void {
  if (address === null) {
    if (!overlaps(cidr, KEPT)) return;
    throw new ValidationExceptionError(
      `Subnet ${id} (${cidr}) has addresses of the host's own (${KEPT}): name a VIP address.`,
    );
  }
  // Who has no say in a network does not take its gateway's place.
  if (gatewayIp !== null && same(gatewayIp, address) && !mayActOn(ctx, network.projectId))
    throw new ValidationExceptionError(`VIP address ${address} is the gateway of its subnet.`);
  if (isIn(KEPT, address))
    throw new ValidationExceptionError(
      `VIP address ${address} is one of the host's own (${KEPT}).`,
    );
}

/** No project makes a network external by itself. */
function refuseUnreachable(
  network: Network,
  subnets: readonly Subnet[],
  agents: readonly NetworkAgent[],
): void {
  const own = subnets.filter(({ cidr }) => overlaps(cidr, LOOPBACK));
  const odd = own.find(({ cidr }) => !isLoopback(cidr) || !network.isExternal);
  if (odd) {
    throw new ValidationExceptionError(
      `Subnet ${odd.id} (${odd.cidr}) has addresses that hosts have to themselves, and no administrator has offered it for VIPs.`,
    );
  }
  if (own.length === subnets.length) return;
  if (own.length > 0)
    throw new ValidationExceptionError('Either all VIPs are on hosts themselves, or none is.');
  const isNowhere =
    agents.length > 0 && agents.every(({ datapathType }) => datapathType === 'user');
  if (!isNowhere) return;
  throw new ValidationExceptionError(
    `Nothing reaches VIPs on network ${network.id}, since this cloud runs without OVN: name a subnet of ${LOOPBACK}.`,
  );
}

function overlaps(one: string, other: string): boolean {
  const [a, b] = [parseCidr(one), parseCidr(other)];
  return a !== undefined && b !== undefined && overlap(a, b);
}

function isIn(text: string, address: string): boolean {
  const [cidr, ip] = [parseCidr(text), parseIp(address)];
  return cidr !== undefined && ip !== undefined && contains(cidr, ip);
}

function same(one: string, other: string): boolean {
  const [a, b] = [parseIp(one), parseIp(other)];
  return a?.version === b?.version && a?.value === b?.value;
}
