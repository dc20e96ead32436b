/** What needs an interface of a router, so that it stays. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Subnet } from '../subnets/subnet.entity.js';
import type { Router } from './router.entity.js';
import { RouterInterfaceInUseByRouteError } from './router.errors.js';
import { holds } from './router-routes.js';

/**
 * @throws RouterInterfaceInUseByRouteError for a subnet that a route leads through
 */
export function refuseIfNeeded(
  _tx: RequestContext,
  { id, routes }: Router,
  subnets: readonly Subnet[],
): Promise<void> {
  for (const subnet of subnets)
    if (routes.some(({ nexthop }) => holds(subnet.cidr, nexthop)))
      throw new RouterInterfaceInUseByRouteError(id, subnet.id);
  return Promise.resolve();
}
