/** All rows of one load balancer. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRows } from '@cumulet/common/database/rows';
import { Feature } from '@cumulet/common/service/feature';
import { flavorOf } from '../flavors/flavor.resource.js';
import type { HaproxyFlavor } from '../providers/capabilities.js';
import { HealthMonitor } from './health-monitor.resource.js';
import { Instance } from './instance.resource.js';
import { L7Policy } from './l7-policy.entity.js';
import { L7Rule } from './l7-rule.resource.js';
import { Listener, ListenerStatistics } from './listener.entity.js';
import { LoadBalancer } from './load-balancer.entity.js';
import { Member } from './member.resource.js';
import { Pool } from './pool.entity.js';

export interface TreeRows {
  readonly loadBalancer: LoadBalancer;
  readonly listeners: readonly Listener[];
  readonly pools: readonly Pool[];
  readonly members: readonly Member[];
  readonly healthMonitors: readonly HealthMonitor[];
  /** By position. */
  readonly l7Policies: readonly L7Policy[];
  readonly l7Rules: readonly L7Rule[];
  readonly flavor: HaproxyFlavor;
}

const OLDEST_FIRST = 'WHERE load_balancer_id = $1 ORDER BY created_at, id';
const BY_POSITION = 'WHERE load_balancer_id = $1 ORDER BY position, created_at, id';

export async function treeRows(ctx: RequestContext, loadBalancer: LoadBalancer): Promise<TreeRows> {
  const { manager } = ctx;
  const params = [loadBalancer.id];
  // One after the other: whoever reads in a transaction has one connection.
  const listeners = await selectRows(manager, Listener, OLDEST_FIRST, params);
  const pools = await selectRows(manager, Pool, OLDEST_FIRST, params);
  const members = await selectRows(manager, Member, OLDEST_FIRST, params);
  const healthMonitors = await selectRows(manager, HealthMonitor, OLDEST_FIRST, params);
  const l7Policies = await selectRows(manager, L7Policy, BY_POSITION, params);
  const l7Rules = await selectRows(manager, L7Rule, OLDEST_FIRST, params);
  const flavor = await flavorOf(ctx, loadBalancer);
  return { loadBalancer, listeners, pools, members, healthMonitors, l7Policies, l7Rules, flavor };
}

@Feature({
  entities: [
    HealthMonitor,
    Instance,
    L7Policy,
    L7Rule,
    Listener,
    ListenerStatistics,
    LoadBalancer,
    Member,
    Pool,
  ],
})
export class TreeModule {}

/** @returns the parts that are not being deleted */
export function stays<T extends { readonly provisioningStatus: string }>(parts: readonly T[]): T[] {
  return parts.filter(({ provisioningStatus }) => provisioningStatus !== 'PENDING_DELETE');
}
