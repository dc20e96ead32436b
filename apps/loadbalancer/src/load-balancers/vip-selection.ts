/**
 * Selects the VIP of a new load balancer: on a port, a network or a subnet that the
 * caller sees. The network service is asked as the caller, so what is another project's is not there.
 * Public source: octavia, `api/v2/controllers/load_balancer.py`.
 */
import { Inject, Injectable } from '@nestjs/common';
import { asCaller, asService } from '@cumulet/clients/http/actor';
import type { Network, NetworkAgent, Port, Subnet } from '@cumulet/clients/network/network-wire';
import {
  contains,
  formatIp,
  isLoopback,
  overlap,
  parseCidr,
  parseIp,
} from '@cumulet/common/addresses/ip-address';
import { mayActOn } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { NETWORKS, type Networks } from '../network/networks.port.js';
import { InvalidSubresourceError, ValidationExceptionError } from '../resources/octavia.errors.js';
import type { LoadBalancer } from '../tree/load-balancer.entity.js';
import type { LoadBalancerChange, NewLoadBalancer } from './load-balancer.resource.js';

/** The columns of a VIP. */
export type Vip = Pick<
  LoadBalancer,
  'vipAddress' | 'vipPortId' | 'ownsVipPort' | 'vipSubnetId' | 'vipNetworkId' | 'additionalVips'
>;

export type Addresses = Pick<LoadBalancer, 'vipAddress' | 'additionalVips'>;

type Asked = Pick<
  NewLoadBalancer,
  'vipAddress' | 'vipPortId' | 'vipSubnetId' | 'vipNetworkId' | 'additionalVips'
>;

@Injectable()
export class VipSelection {
  constructor(@Inject(NETWORKS) private readonly networks: Networks) {}

  /**
   * @throws VIPValidationExceptionError if nothing is named
   * @throws InvalidSubresourceError if the caller does not see what is named
   * @throws ValidationExceptionError if what is named does not go together
   */
  async read(ctx: RequestContext, asked: Asked): Promise<Vip> {
    const { vipPortId: portId, vipNetworkId: networkId, vipSubnetId: subnetId } = asked;
    if (portId == null && networkId == null && subnetId == null)
      throw new VIPValidationExceptionError();
    const vip =
      portId == null
        ? await this.#onNetwork(ctx, asked)
        : onPort(await this.#port(ctx, portId), await this.#named(ctx, subnetId), asked);
    const additionalVips = await this.#additional(ctx, vip, asked);
    const whole = { ...vip, ownsVipPort: portId == null, additionalVips };
    await refuseVip(this.networks, ctx, whole);
    return whole;
  }

  /**
   * The addresses, each with one of its subnet in its place where it is not known yet: whatever goes by
   * the kind of an address can go by these.
   */
  async likely(ctx: RequestContext, vip: Vip): Promise<Addresses> {
    const filter = { network_id: vip.vipNetworkId ?? '' };
    const subnets = await this.networks.subnets(asCaller(ctx), filter);
    const some = (subnetId: string | null): string | null => {
      const cidr = parseCidr(subnets.find(({ id }) => id === subnetId)?.cidr ?? '');
      return cidr ? formatIp({ version: cidr.version, value: cidr.first }) : null;
    };
    return {
      vipAddress: vip.vipAddress ?? some(vip.vipSubnetId),
      additionalVips: vip.additionalVips.map(({ subnet_id, ip_address }) => ({
        subnet_id,
        ip_address: ip_address ?? some(subnet_id),
      })),
    };
  }

  /** @throws InvalidSubresourceError if the caller does not see one of them */
  async refuseUnknown(
    ctx: RequestContext,
    body: Pick<LoadBalancerChange, 'vipQosPolicyId' | 'vipSgIds'>,
  ): Promise<void> {
    const { vipQosPolicyId: policy, vipSgIds: groups = [] } = body;
    const actor = asCaller(ctx);
    if (policy != null && !(await this.networks.hasQosPolicy(actor, policy)))
      throw new InvalidSubresourceError('qos_policy', policy);
    if (groups.length === 0) return;
    const found = await this.networks.securityGroups(actor, { id: groups });
    const unknown = groups.find((id) => !found.some((one) => one.id === id));
    if (unknown !== undefined) throw new InvalidSubresourceError('Security Group', unknown);
  }

  async #onNetwork(ctx: RequestContext, asked: Asked): Promise<Omit<Vip, 'ownsVipPort'>> {
    const { vipNetworkId: networkId, vipAddress: address = null } = asked;
    const named = await this.#named(ctx, asked.vipSubnetId);
    if (networkId == null && named) return onSubnet(named, address);
    const network = await this.networks.network(asCaller(ctx), networkId ?? '');
    if (!network) throw new InvalidSubresourceError('Network', networkId ?? '');
    if (named) {
      if (named.networkId !== network.id) throw new InvalidSubresourceError('Subnet', named.id);
      return onSubnet(named, address);
    }
    const subnets = await this.networks.subnets(asCaller(ctx), { network_id: network.id });
    return onSubnet(subnetFor(subnets, address), address);
  }

  async #additional(
    ctx: RequestContext,
    { vipSubnetId, vipNetworkId }: Pick<Vip, 'vipSubnetId' | 'vipNetworkId'>,
    { additionalVips: asked }: Asked,
  ): Promise<Vip['additionalVips']> {
    const ids = [vipSubnetId, ...asked.map((one) => one.subnet_id)];
    if (new Set(ids).size < ids.length) {
      throw new ValidationExceptionError(
        'Duplicate VIP subnet(s) specified. Only one IP can be bound per subnet.',
      );
    }
    const found: Vip['additionalVips'] = [];
    for (const { subnet_id, ip_address = null, port_id = null } of asked) {
      if (port_id !== null) {
        throw new ValidationExceptionError(
          'port_id of additional_vips is not supported, since all addresses of a load balancer are on one port',
        );
      }
      const subnet = await this.#subnet(ctx, subnet_id);
      if (subnet.networkId !== vipNetworkId)
        throw new ValidationExceptionError('All VIP subnets must belong to the same network.');
      refuseOutside(subnet, ip_address);
      found.push({ subnet_id, ip_address });
    }
    return found;
  }

  async #port(ctx: RequestContext, id: string): Promise<Port> {
    const port = await this.networks.port(asCaller(ctx), id);
    // Whoever owns a network sees the ports of others on it, and may not use them.
    if (!port || !mayActOn(ctx, port.projectId)) throw new InvalidSubresourceError('Port', id);
    if (port.deviceId !== '') {
      throw new ValidationExceptionError(
        `Port ${port.id} is already used by device ${port.deviceId}`,
      );
    }
    return port;
  }

  async #named(ctx: RequestContext, id: string | null | undefined): Promise<Subnet | undefined> {
    return id == null ? undefined : this.#subnet(ctx, id);
  }

  async #subnet(ctx: RequestContext, id: string): Promise<Subnet> {
    const [subnet] = await this.networks.subnets(asCaller(ctx), { id });
    if (!subnet) throw new InvalidSubresourceError('Subnet', id);
    return subnet;
  }
}

function onSubnet(subnet: Subnet, vipAddress: string | null): Omit<Vip, 'ownsVipPort'> {
  refuseOutside(subnet, vipAddress);
  const { id: vipSubnetId, networkId: vipNetworkId } = subnet;
  return { vipAddress, vipPortId: null, vipSubnetId, vipNetworkId, additionalVips: [] };
}

/** The one of the address; the first of IPv4 where none is asked for. */
function subnetFor(subnets: readonly Subnet[], address: string | null): Subnet {
  const found =
    address === null
      ? (subnets.find((one) => one.ipVersion === 4) ?? subnets[0])
      : subnets.find((one) => isIn(one.cidr, address));
  if (found) return found;
  throw new ValidationExceptionError(
    `Supplied network does not contain a subnet${address === null ? '.' : ' for VIP address specified.'}`,
  );
}

function onPort(port: Port, subnet: Subnet | undefined, asked: Asked): Omit<Vip, 'ownsVipPort'> {
  const { addresses, networkId: vipNetworkId } = port;
  const { vipAddress: address = null } = asked;
  if (!subnet && address === null && addresses.length !== 1) {
    throw new ValidationExceptionError(
      "VIP port's subnet could not be determined. Please specify either a VIP subnet or address.",
    );
  }
  const found = addresses.find(
    (one) =>
      (!subnet || one.subnetId === subnet.id) && (address === null || one.address === address),
  );
  if (!found) {
    throw new ValidationExceptionError(
      subnet
        ? 'No VIP address found on the specified VIP port within the specified subnet.'
        : 'Specified VIP address not found on the specified VIP port.',
    );
  }
  const { subnetId: vipSubnetId, address: vipAddress } = found;
  return { vipAddress, vipPortId: port.id, vipSubnetId, vipNetworkId, additionalVips: [] };
}

function refuseOutside(subnet: Subnet, address: string | null): void {
  if (address !== null && !isIn(subnet.cidr, address)) {
    throw new ValidationExceptionError(
      `VIP address ${address} is not on subnet ${subnet.id}, which is ${subnet.cidr}.`,
    );
  }
}

type JudgedVip = Omit<Vip, 'vipPortId' | 'ownsVipPort'>;

const LOOPBACK = '127.0.0.0/8';
/** The machine's own programs listen there. */
const KEPT = '127.0.0.0/16';

/**
 * Restrictions beyond Octavia's: a VIP must not take the address of another project's gateway; it may be
 * a loopback address only on an external network; and elsewhere the cloud must carry its packets.
 * @param vip of which the caller sees all that it names
 * @throws ValidationExceptionError
 */
export async function refuseVip(
  networks: Networks,
  ctx: RequestContext,
  vip: JudgedVip,
): Promise<void> {
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
      `Subnet ${id} (${cidr}) overlaps the addresses that are reserved for the host (${KEPT}): specify a VIP address.`,
    );
  }
  // Who has no say in a network does not take its gateway's place.
  if (gatewayIp !== null && same(gatewayIp, address) && !mayActOn(ctx, network.projectId))
    throw new ValidationExceptionError(`VIP address ${address} is the gateway of its subnet.`);
  if (isIn(KEPT, address))
    throw new ValidationExceptionError(
      `VIP address ${address} is reserved for the host (${KEPT}).`,
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
      `Subnet ${odd.id} (${odd.cidr}) overlaps the loopback range, and no administrator has offered it for VIPs.`,
    );
  }
  if (own.length === subnets.length) return;
  if (own.length > 0)
    throw new ValidationExceptionError('Loopback VIPs cannot be combined with other VIPs.');
  const isNowhere =
    agents.length > 0 && agents.every(({ datapathType }) => datapathType === 'user');
  if (!isNowhere) return;
  throw new ValidationExceptionError(
    `VIPs on network ${network.id} would not be reachable, since this cloud runs without OVN: specify a subnet of ${LOOPBACK}.`,
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

/** Public source: octavia, `common/exceptions.py`. */
class VIPValidationExceptionError extends DomainError {
  constructor() {
    const objects = 'vip_port_id, vip_network_id, vip_subnet_id';
    super('invalid', `Validation failure: VIP must contain one of: ${objects}.`);
  }
}
