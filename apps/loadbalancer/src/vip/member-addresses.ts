/** Where the members of a load balancer may be, as the API refuses others. */
import { canonicalIp } from '@cumulet/common/addresses/ip-address';
import type { LoadBalancerConfig } from '../config.js';
import type { LoadBalancer } from '../tree/load-balancer.entity.js';
import { ValidationExceptionError } from '../resources/octavia.errors.js';
import { ownAddresses, whyNowhere, whyOwn } from './own-addresses.js';
import { isOnHost } from './vip-port.js';

type Addressed = Pick<LoadBalancer, 'vipAddress' | 'additionalVips'>;

/**
 * One that runs on the host itself must not lead to the host, nor any to link-local addresses, where
 * the platform's own services are.
 * @param addresses of members and of their monitors
 * @throws ValidationExceptionError
 */
export function refuseMemberAddresses(
  loadBalancer: Pick<LoadBalancer, 'vipAddress'>,
  { loopbackMembers }: Pick<LoadBalancerConfig, 'loopbackMembers'>,
  addresses: readonly (string | null | undefined)[],
): void {
  const isHeld = isOnHost(loadBalancer) && !loopbackMembers;
  const own = isHeld ? ownAddresses() : new Set<string>();
  for (const address of new Set(addresses)) {
    if (address == null) continue;
    const why = whyNowhere(address) ?? (isHeld ? whyOwn(address, own) : undefined);
    if (why !== undefined)
      throw new ValidationExceptionError(`A member cannot be at ${address}: ${why}.`);
  }
}

/**
 * Who is at a load balancer's own address is the load balancer: what it sent there would come back to
 * it, and again, until it has no connection left. Octavia lets it, and does so.
 * @param addresses of members, where traffic goes
 * @throws ValidationExceptionError
 */
export function refuseOwnVips(
  { vipAddress, additionalVips }: Addressed,
  addresses: readonly (string | null | undefined)[],
): void {
  const own = new Set([vipAddress, ...additionalVips.map((one) => one.ip_address)].map(canonical));
  for (const address of addresses)
    if (address != null && own.has(canonical(address)))
      throw new ValidationExceptionError(
        `A member cannot be at ${address}: it is the load balancer's own VIP.`,
      );
}

function canonical(address: string | null): string | null {
  return address === null ? null : (canonicalIp(address) ?? address);
}
