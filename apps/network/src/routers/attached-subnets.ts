/**
 * The subnets that a router connects. Public source: neutron, `_check_for_dup_router_subnets` in
 * `db/l3_db.py` and `db/l3_extra_gws_db.py`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { BadRequestError } from '@cumulet/common/resources/resource.errors';
import { overlap, parseCidr, contains, parseIp } from '@cumulet/common/addresses/ip-address';
import type { Subnet } from '../subnets/subnet.entity.js';
import type { HostRoute } from '../subnets/subnet.resource.js';
import { routers, type RouterPortKind } from './router.entity.js';
import { canonicalRoute } from '../addresses/address-types.js';
import { InvalidRoutesError, RoutesExhaustedError } from './router.errors.js';

export interface AttachedSubnet {
  readonly id: string;
  readonly cidr: string;
  readonly kind: RouterPortKind;
  readonly portId: string;
}

/** The subnets of its interfaces' addresses, and all subnets of its gateways' networks. */
export function attachedSubnets(tx: RequestContext, routerId: string): Promise<AttachedSubnet[]> {
  return preparedRows(
    tx.manager,
    `SELECT subnets.id, subnets.cidr::text, kind, ports.id AS "portId"
       FROM router_ports
       JOIN ports ON ports.id = port_id
       JOIN subnets ON subnets.network_id = ports.network_id
        AND (kind = 'gateway' OR subnets.id IN (
              SELECT subnet_id FROM ip_allocations WHERE port_id = ports.id))
      WHERE router_id = $1
      ORDER BY subnets.id`,
    [routerId],
  );
}

/** The router's own addresses. */
export async function ownAddresses(tx: RequestContext, routerId: string): Promise<string[]> {
  const rows = await preparedRows<{ address: string }>(
    tx.manager,
    `SELECT host(address) AS address FROM router_ports
       JOIN ip_allocations ON ip_allocations.port_id = router_ports.port_id
      WHERE router_id = $1`,
    [routerId],
  );
  return rows.map(({ address }) => address);
}

/**
 * Several gateways may share an external network; otherwise, subnets must not overlap.
 * @throws BadRequestError naming the two
 */
export function refuseOverlap(
  attached: readonly AttachedSubnet[],
  added: readonly Pick<Subnet, 'id' | 'cidr'>[],
  kind: RouterPortKind,
): void {
  for (const one of added) {
    const other = attached.find(
      (each) =>
        !(kind === 'gateway' && each.kind === kind && each.id === one.id) && cross(each, one),
    );
    if (other?.id === one.id)
      throw new BadRequestError('router', `Router already has a port on subnet ${one.id}`);
    if (other) {
      throw new BadRequestError(
        'router',
        `Cidr ${one.cidr} of subnet ${one.id} overlaps with cidr ${other.cidr} of subnet ${other.id}`,
      );
    }
  }
}

function cross(one: { readonly cidr: string }, other: { readonly cidr: string }): boolean {
  const [first, second] = [parseCidr(one.cidr), parseCidr(other.cidr)];
  return first !== undefined && second !== undefined && overlap(first, second);
}

// Extra routes of a router. Public source: neutron, `db/extraroute_db.py`.

const MAX_ROUTES = 30;

/**
 * Next hops must be on connected subnets, and must not be addresses of the router itself.
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

/** Existing routes stay as they are. */
export function withRoutes(routes: readonly HostRoute[], added: readonly HostRoute[]): HostRoute[] {
  return [...routes, ...added.filter((one) => !routes.some((other) => isSame(one, other)))];
}

/** Ignores routes that do not exist. */
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
 * Checks a router after the addresses of one of its ports have changed.
 * @throws BadRequestError for subnets that overlap
 * @throws InvalidRoutesError for routes with an unreachable next hop
 */
export async function checkRouter(tx: RequestContext, routerId: string): Promise<void> {
  const attached = await attachedSubnets(tx, routerId);
  for (const [at, one] of attached.entries())
    refuseOverlap(attached.slice(at + 1), [one], one.kind);
  const router = await routers.find(tx, routerId);
  await checkRoutes(tx, routerId, router?.routes ?? []);
}
