/** A load balancer with all of its parts, as answers show it. Pure. */
import { shownUnder } from '@cumulet/common/http/answers';
import { Shown } from '@cumulet/common/http/shown';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import { healthMonitorResource } from '../tree/health-monitor.resource.js';
import { l7PolicyResource } from '../l7-policies/l7-policy.resource.js';
import { l7RuleResource } from '../tree/l7-rule.resource.js';
import { listenerResource } from '../listeners/listener.resource.js';
import { memberResource } from '../tree/member.resource.js';
import { poolResource } from '../pools/pool.resource.js';
import type { Member } from '../tree/member.resource.js';
import type { Pool } from '../tree/pool.entity.js';
import type { TreeRows } from '../tree/tree-rows.js';
import { loadBalancerResource } from './load-balancer.resource.js';

abstract class StatusView {
  @Shown(String, 'The ID.')
  id: string;

  @Shown(String, 'The name.')
  name: string;

  @Shown(String, 'The provisioning status; PENDING_… until the requested change has been applied.')
  provisioning_status: string;

  @Shown(String, 'The operating status, as it is observed.')
  operating_status: string;
}

class MemberStatusView extends StatusView {
  @Shown(String, 'The IP address.')
  address: string;

  @Shown('integer', 'The port on which the member serves.')
  protocol_port: number;
}

class HealthMonitorStatusView extends StatusView {
  @Shown(String, 'The type of the checks.')
  type: string;
}

class PoolStatusView extends StatusView {
  @Shown(() => HealthMonitorStatusView, 'The health monitor, if there is one.', { optional: true })
  health_monitor?: HealthMonitorStatusView;

  @Shown([() => MemberStatusView], 'The members.')
  members: MemberStatusView[];
}

class ListenerStatusView extends StatusView {
  @Shown([() => PoolStatusView], 'The pools that the listener sends requests to.')
  pools: PoolStatusView[];
}

class LoadBalancerStatusView extends StatusView {
  @Shown(String, 'Why it is in ERROR, or what it is waiting for.', { optional: true })
  provisioning_status_reason?: string;

  @Shown([() => ListenerStatusView], 'The listeners.')
  listeners: ListenerStatusView[];
}

const StatusesView = shownUnder('loadbalancer', LoadBalancerStatusView);

export const StatusTreeView = shownUnder('statuses', StatusesView);

/** By their statuses. Public source: Load Balancer API v2 reference, "Get the Load Balancer status tree". */
export function statusTree(rows: TreeRows): object {
  const { loadBalancer, listeners, pools } = rows;
  const { id, name, operatingStatus: operating_status, state, stateReason } = loadBalancer;
  const loadbalancer = {
    id,
    name,
    operating_status,
    provisioning_status: state.toUpperCase(),
    ...(stateReason === null ? {} : { provisioning_status_reason: stateReason }),
    listeners: listeners.map((listener) => ({
      ...statusOf(listener),
      pools: pools
        .filter((pool) => poolIdsOf(rows, listener.id).has(pool.id))
        .map((pool) => poolStatus(pool, rows)),
    })),
  };
  return { statuses: { loadbalancer } };
}

type Part = Pick<Member, 'id' | 'name' | 'provisioningStatus' | 'operatingStatus'>;

type Status = { readonly [K in keyof StatusView]: StatusView[K] };

function statusOf({ id, name, provisioningStatus, operatingStatus }: Part): Status {
  const statuses = { provisioning_status: provisioningStatus, operating_status: operatingStatus };
  return { id, name, ...statuses };
}

/** Its default pool, and those that its policies redirect to. */
function poolIdsOf({ listeners, l7Policies }: TreeRows, listenerId: string): Set<string | null> {
  const own = listeners.filter(({ id }) => id === listenerId);
  const policies = l7Policies.filter((policy) => policy.listenerId === listenerId);
  return new Set([
    ...own.map(({ defaultPoolId }) => defaultPoolId),
    ...policies.map(({ redirectPoolId }) => redirectPoolId),
  ]);
}

function poolStatus(pool: Pool, { members, healthMonitors }: TreeRows): PoolStatusView {
  const monitor = healthMonitors.find(({ poolId }) => poolId === pool.id);
  const own = members.filter(({ poolId }) => poolId === pool.id);
  return {
    ...statusOf(pool),
    ...(monitor ? { health_monitor: { ...statusOf(monitor), type: monitor.type } } : {}),
    members: own.map((member) => ({
      ...statusOf(member),
      address: member.address,
      protocol_port: member.protocolPort,
    })),
  };
}

/**
 * With all that was made with it, as the answer to its creation shows it. Public source: octavia,
 * `LoadBalancerFullResponse` in `api/v2/types/load_balancer.py`.
 */
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
