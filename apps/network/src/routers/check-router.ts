/** What must hold of a router once the addresses of one of its ports have changed. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { HostRoute } from '../subnets/subnet.entity.js';
import { attachedSubnets, refuseOverlap } from './attached-subnets.js';
import { checkRoutes } from './router-routes.js';

/**
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
