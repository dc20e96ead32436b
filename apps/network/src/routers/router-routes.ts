/** The routes that clients give a router. Public source: neutron, `db/extraroute_db.py`. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { contains, parseCidr, parseIp } from '@cumulet/common/addresses/ip-address';
import { preparedRows } from '@cumulet/common/database/rows';
import { canonicalRoute } from '../addresses/address-types.js';
import type { HostRoute } from '../subnets/subnet.entity.js';
import { attachedSubnets, ownAddresses, refuseOverlap } from './attached-subnets.js';
import { InvalidRoutesError, RoutesExhaustedError } from './router.errors.js';

const MAX_ROUTES = 30;

/**
 * Each leads to a host that the router reaches, and that is not the router itself.
 * @throws RoutesExhaustedError, or InvalidRoutesError naming the routes
 */
export async function checkRoutes(
  tx: RequestContext,
  routerId: string,
  routes: readonly HostRoute[],
): Promise<void> {
  if (routes.length === 0) return;
  if (routes.length > MAX_ROUTES) throw new RoutesExhaustedError(routerId, MAX_ROUTES);
  const subnets = await attachedSubnets(tx, routerId);
  const own = await ownAddresses(tx, routerId);
  for (const { nexthop } of routes) {
    if (!subnets.some(({ cidr }) => holds(cidr, nexthop)))
      throw new InvalidRoutesError(routes, 'the nexthop is not connected with router');
    if (own.includes(nexthop))
      throw new InvalidRoutesError(routes, 'the nexthop is used by router');
  }
}

/** Those that are there already stay as they are. */
export function withRoutes(routes: readonly HostRoute[], added: readonly HostRoute[]): HostRoute[] {
  return [...routes, ...added.filter((one) => !routes.some((other) => isSame(one, other)))];
}

/** Those that are not there need not be removed. */
export function withoutRoutes(
  routes: readonly HostRoute[],
  removed: readonly HostRoute[],
): HostRoute[] {
  return routes.filter((one) => !removed.some((other) => isSame(one, other)));
}

export function holds(cidr: string, address: string): boolean {
  const [range, ip] = [parseCidr(cidr), parseIp(address)];
  return range !== undefined && ip !== undefined && contains(range, ip);
}

function isSame(one: HostRoute, other: HostRoute): boolean {
  const [is, was] = [canonicalRoute(one), canonicalRoute(other)];
  return is.destination === was.destination && is.nexthop === was.nexthop;
}

/**
 * What must hold of a router once the addresses of one of its ports have changed.
 * @throws BadRequestError for subnets that overlap
 * @throws InvalidRoutesError for routes that lead nowhere
 */
export async function checkRouter(tx: RequestContext, routerId: string): Promise<void> {
  const attached = await attachedSubnets(tx, routerId);
  for (const [at, one] of attached.entries())
    refuseOverlap(attached.slice(at + 1), [one], one.kind);
  const [row] = await preparedRows<{ routes: HostRoute[] }>(
    tx.manager,
    'SELECT routes FROM routers WHERE id = $1',
    [routerId],
  );
  await checkRoutes(tx, routerId, row?.routes ?? []);
}
