/**
 * A load balancer with all of its parts as their statuses show them. Pure. Public source: Load Balancer
 * API v2 reference, "Get the Load Balancer status tree".
 */
import { Shown } from '@cumulet/common/http/shown';
import type { Member } from '../tree/member.entity.js';
import type { Pool } from '../tree/pool.entity.js';
import type { TreeRows } from '../tree/tree-rows.js';

abstract class StatusView {
  @Shown(String, 'Its id.')
  id: string;

  @Shown(String, 'What its owner calls it.')
  name: string;

  @Shown(String, 'PENDING_… until what was asked for has been applied.')
  provisioning_status: string;

  @Shown(String, 'What is seen of it.')
  operating_status: string;
}

class MemberStatusView extends StatusView {
  @Shown(String, 'Its address.')
  address: string;

  @Shown('integer', 'Its port.')
  protocol_port: number;
}

class HealthMonitorStatusView extends StatusView {
  @Shown(String, 'How members are checked.')
  type: string;
}

class PoolStatusView extends StatusView {
  @Shown(() => HealthMonitorStatusView, 'What checks its members, if anything.', { optional: true })
  health_monitor?: HealthMonitorStatusView;

  @Shown([() => MemberStatusView], 'Its members.')
  members: MemberStatusView[];
}

class ListenerStatusView extends StatusView {
  @Shown([() => PoolStatusView], 'The pools that its requests go to.')
  pools: PoolStatusView[];
}

class LoadBalancerStatusView extends StatusView {
  @Shown(String, 'Why it is in ERROR, or what it waits for.', { optional: true })
  provisioning_status_reason?: string;

  @Shown([() => ListenerStatusView], 'Its listeners.')
  listeners: ListenerStatusView[];
}

class StatusesView {
  @Shown(() => LoadBalancerStatusView, 'The load balancer.')
  loadbalancer: LoadBalancerStatusView;
}

export class StatusTreeView {
  @Shown(() => StatusesView, 'The tree.')
  statuses: StatusesView;
}

export function statusTree(rows: TreeRows): StatusTreeView {
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
