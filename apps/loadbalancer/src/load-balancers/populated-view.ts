/**
 * A load balancer with all that was made with it, as the answer to its creation shows it. Public
 * source: octavia, `LoadBalancerFullResponse` in `api/v2/types/load_balancer.py`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import { healthMonitorResource } from '../health-monitors/health-monitor.resource.js';
import { l7PolicyResource } from '../l7-policies/l7-policy.resource.js';
import { l7RuleResource } from '../l7-rules/l7-rule.resource.js';
import { listenerResource } from '../listeners/listener.resource.js';
import { memberResource } from '../members/member.resource.js';
import { poolResource } from '../pools/pool.resource.js';
import type { TreeRows } from '../tree/tree-rows.js';
import { loadBalancerResource } from './load-balancer.resource.js';

export function populatedView(ctx: RequestContext, rows: TreeRows): object {
  const { loadBalancer, listeners, pools, members, healthMonitors, l7Policies, l7Rules } = rows;
  const rulesOf = (id: string): object[] =>
    l7Rules
      .filter((rule) => rule.l7PolicyId === id)
      .map((rule) => viewsOf(l7RuleResource).show(ctx, rule));
  const policiesOf = (id: string): object[] =>
    l7Policies
      .filter((policy) => policy.listenerId === id)
      .map((policy) => ({
        ...viewsOf(l7PolicyResource).show(ctx, policy),
        rules: rulesOf(policy.id),
      }));
  const membersOf = (id: string): object[] =>
    members
      .filter((member) => member.poolId === id)
      .map((member) => viewsOf(memberResource).show(ctx, member));
  const monitorOf = (id: string): object | null => {
    const monitor = healthMonitors.find(({ poolId }) => poolId === id);
    return monitor ? viewsOf(healthMonitorResource).show(ctx, monitor) : null;
  };
  return {
    ...viewsOf(loadBalancerResource).show(ctx, loadBalancer),
    listeners: listeners.map((listener) => ({
      ...viewsOf(listenerResource).show(ctx, listener),
      l7policies: policiesOf(listener.id),
    })),
    pools: pools.map((pool) => ({
      ...viewsOf(poolResource).show(ctx, pool),
      members: membersOf(pool.id),
      healthmonitor: monitorOf(pool.id),
    })),
  };
}
