/** What needs an interface of a router, so that it stays. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { isLedTo } from '../floatingips/associations.js';
import type { Subnet } from '../subnets/subnet.entity.js';
import type { Router } from './router.entity.js';
import {
  RouterInterfaceInUseByFloatingIPError,
  RouterInterfaceInUseByRouteError,
} from './router.errors.js';
import { holds } from './router-routes.js';

/**
 * @throws RouterInterfaceInUseByFloatingIPError for a subnet that floating IPs lead to
 * @throws RouterInterfaceInUseByRouteError for a subnet that routes lead through
 */
export async function refuseIfNeeded(
  tx: RequestContext,
  { id, routes }: Router,
  subnets: readonly Subnet[],
): Promise<void> {
  for (const subnet of subnets) {
    if (await isLedTo(tx, id, subnet.id))
      throw new RouterInterfaceInUseByFloatingIPError(id, subnet.id);
    if (routes.some(({ nexthop }) => holds(subnet.cidr, nexthop)))
      throw new RouterInterfaceInUseByRouteError(id, subnet.id);
  }
}
