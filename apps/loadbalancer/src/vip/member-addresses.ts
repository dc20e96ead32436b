/** Where the members of a load balancer may be, as the API refuses others. */
import type { LoadBalancerConfig } from '../config.js';
import type { LoadBalancer } from '../load-balancers/load-balancer.entity.js';
import { ValidationExceptionError } from '../resources/octavia.errors.js';
import { ownAddresses, whyNowhere, whyOwn } from './own-addresses.js';
import { isOnHost } from './vip-port.js';

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
