/** All rows of one load balancer. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRows } from '@cumulet/common/database/rows';
import { flavorOf } from '../flavors/flavor-of.js';
import { HealthMonitor } from '../health-monitors/health-monitor.entity.js';
import { L7Policy } from '../l7-policies/l7-policy.entity.js';
import { L7Rule } from '../l7-rules/l7-rule.entity.js';
import { Listener } from '../listeners/listener.entity.js';
import type { LoadBalancer } from '../load-balancers/load-balancer.entity.js';
import { Member } from '../members/member.entity.js';
import { Pool } from '../pools/pool.entity.js';
import type { HaproxyFlavor } from '../providers/capabilities.js';

export interface TreeRows {
  readonly loadBalancer: LoadBalancer;
  readonly listeners: readonly Listener[];
  readonly pools: readonly Pool[];
  readonly members: readonly Member[];
  readonly healthMonitors: readonly HealthMonitor[];
  /** By position. */
  readonly l7Policies: readonly L7Policy[];
  readonly l7Rules: readonly L7Rule[];
  /** What its flavor says. */
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
