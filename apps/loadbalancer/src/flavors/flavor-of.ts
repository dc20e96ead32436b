/** What a load balancer's flavor says of it. While it has the flavor, that stays the same. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { flavorProfiles } from '../flavor-profiles/flavor-profile.table.js';
import type { LoadBalancer } from '../load-balancers/load-balancer.entity.js';
import { HAPROXY_FLAVOR, readData, type HaproxyFlavor } from '../providers/capabilities.js';
import { flavors } from './flavor.table.js';

export async function flavorOf(
  ctx: RequestContext,
  { flavorId, provider }: Pick<LoadBalancer, 'flavorId' | 'provider'>,
): Promise<HaproxyFlavor> {
  if (flavorId === null) return {};
  const { flavorProfileId } = await flavors.get(ctx, flavorId);
  const { flavorData } = await flavorProfiles.get(ctx, flavorProfileId);
  return readData(provider, HAPROXY_FLAVOR, 'flavor_data', flavorData);
}
