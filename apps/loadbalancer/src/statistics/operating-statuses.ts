/**
 * The operating statuses of load balancers and their parts. Pure. Public source: octavia,
 * `amphorae/drivers/health/heartbeat_udp.py`; Load Balancer API reference, "Operating Status Codes".
 */
import type { BalancerStatistics } from '../data-plane/data-plane.js';
import type { OperatingStatus } from '../resources/values.js';
import type {
  OperatingStatuses,
  Skeleton,
  SkeletonListener,
  SkeletonMember,
  SkeletonPart,
} from './skeleton.js';

/**
 * What is seen of one: its statistics; that nothing of it runs; or nothing, where nobody has looked
 * since it was applied, and what is measured stays as it was measured before.
 */
export type Sight = BalancerStatistics | 'ended' | 'unseen';

const MEASURED: readonly OperatingStatus[] = ['ONLINE', 'DEGRADED', 'ERROR'];

export function operatingStatuses(tree: Skeleton, sight: Sight): OperatingStatuses {
  const listeners = tree.listeners.map((one) => [one, listenerStatus(tree, one, sight)] as const);
  const used = usedPools(tree);
  const members = tree.members.map(
    (one) => [one, memberStatus(tree, one, used.has(one.poolId), sight)] as const,
  );
  const pools = tree.pools.map((one) => {
    const own = members.filter(([{ poolId }]) => poolId === one.id).map(([, status]) => status);
    return [one, poolStatus(one, used.has(one.id), own, sight)] as const;
  });
  const switched = [...tree.monitors, ...tree.policies, ...tree.rules].map(
    (one) => [one, one.isUp ? 'ONLINE' : 'OFFLINE'] as const,
  );
  const whole = wholeStatus(
    tree,
    listeners.map(([, status]) => status),
    pools.map(([, status]) => status),
    sight,
  );
  const all = [[tree, whole] as const, ...listeners, ...pools, ...members, ...switched];
  return new Map(all.map(([{ id }, status]) => [id, status]));
}

function listenerStatus(tree: Skeleton, one: SkeletonListener, sight: Sight): OperatingStatus {
  if (!tree.isUp || !one.isUp) return 'OFFLINE';
  if (sight === 'unseen') return kept(one, 'ONLINE');
  const traffic = sight === 'ended' ? undefined : sight.listeners.get(one.id);
  // What is being changed need not run yet.
  if (!traffic) return tree.state === 'active' ? 'ERROR' : one.status;
  const isFull = one.limit > 0 && traffic.activeConnections >= one.limit;
  return isFull ? 'DEGRADED' : 'ONLINE';
}

/** Pools that receive traffic; others are not in use, whatever the state of their members. */
function usedPools({ isUp, listeners, pools, policies }: Skeleton): ReadonlySet<string> {
  const open = new Set(listeners.filter((one) => isUp && one.isUp).map(({ id }) => id));
  const wanted = new Set([
    ...listeners.filter(({ id }) => open.has(id)).map(({ poolId }) => poolId),
    ...policies.filter((one) => one.isUp && open.has(one.listenerId)).map(({ poolId }) => poolId),
  ]);
  return new Set(pools.filter((one) => one.isUp && wanted.has(one.id)).map(({ id }) => id));
}

function memberStatus(
  { monitors }: Skeleton,
  one: SkeletonMember,
  isUsed: boolean,
  sight: Sight,
): OperatingStatus {
  if (!one.isUp) return 'OFFLINE';
  const isChecked = monitors.some(({ poolId, isUp }) => isUp && poolId === one.poolId);
  const unknown = isChecked ? 'OFFLINE' : 'NO_MONITOR';
  if (!isUsed) return unknown;
  if (sight === 'ended') return one.status;
  if (sight === 'unseen') return isChecked ? kept(one, unknown) : unmonitored(one);
  return sight.members.get(one.id) ?? (isChecked ? kept(one, unknown) : unmonitored(one));
}

function unmonitored({ status }: SkeletonPart): OperatingStatus {
  return status === 'DRAINING' ? status : 'NO_MONITOR';
}

/** Without members there is nothing wrong with it; where none of them gets traffic, there is. */
function poolStatus(
  one: SkeletonPart,
  isUsed: boolean,
  members: readonly OperatingStatus[],
  sight: Sight,
): OperatingStatus {
  if (!isUsed) return 'OFFLINE';
  if (sight === 'ended' || sight === 'unseen') return kept(one, 'ONLINE');
  const works = members.some((status) => status === 'ONLINE' || status === 'NO_MONITOR');
  if (members.length > 0 && !works) return 'ERROR';
  return members.includes('ERROR') ? 'DEGRADED' : 'ONLINE';
}

function wholeStatus(
  tree: Skeleton,
  listeners: readonly OperatingStatus[],
  pools: readonly OperatingStatus[],
  sight: Sight,
): OperatingStatus {
  if (!tree.isUp) return 'OFFLINE';
  if (sight === 'unseen') return kept(tree, 'ONLINE');
  const open = listeners.filter((status) => status !== 'OFFLINE');
  const isDown = open.length > 0 && open.every((status) => status === 'ERROR');
  if (isDown || pools.includes('ERROR')) return 'ERROR';
  const isWorse = [...open, ...pools].some((status) => status === 'ERROR' || status === 'DEGRADED');
  return isWorse ? 'DEGRADED' : 'ONLINE';
}

/** As it was measured, or else this. */
function kept({ status }: SkeletonPart, otherwise: OperatingStatus): OperatingStatus {
  return MEASURED.includes(status) ? status : otherwise;
}
