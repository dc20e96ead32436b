/** Of load balancers what their operating statuses follow from, read at once for many. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { LoadBalancerState } from '../tree/load-balancer.states.js';
import type { OperatingStatus } from '../resources/values.js';

export interface SkeletonPart {
  readonly id: string;
  readonly isUp: boolean;
  readonly status: OperatingStatus;
}

export interface SkeletonListener extends SkeletonPart {
  readonly poolId: string | null;
  /** -1 is without limit. */
  readonly limit: number;
}

export interface SkeletonMember extends SkeletonPart {
  readonly poolId: string;
}

export interface SkeletonPolicy extends SkeletonPart {
  readonly listenerId: string;
  /** That it redirects to. */
  readonly poolId: string | null;
}

export interface Skeleton extends SkeletonPart {
  readonly state: LoadBalancerState;
  readonly generation: number;
  readonly listeners: readonly SkeletonListener[];
  readonly pools: readonly SkeletonPart[];
  readonly members: readonly SkeletonMember[];
  readonly monitors: readonly SkeletonMember[];
  readonly policies: readonly SkeletonPolicy[];
  readonly rules: readonly SkeletonPart[];
}

const PART = `'id', id, 'isUp', admin_state_up, 'status', operating_status`;

/** @param more further fields, as arguments of json_build_object */
const partsOf = (table: string, more = ''): string => `
  (SELECT coalesce(json_agg(json_build_object(${PART}${more})), '[]')
     FROM ${table} WHERE load_balancer_id = one.id AND provisioning_status <> 'PENDING_DELETE')`;

const SKELETONS = `
  SELECT id, state, generation, admin_state_up AS "isUp", operating_status AS status,
         ${partsOf('listeners', `, 'poolId', default_pool_id, 'limit', connection_limit`)} AS listeners,
         ${partsOf('pools')} AS pools,
         ${partsOf('members', `, 'poolId', pool_id`)} AS members,
         ${partsOf('health_monitors', `, 'poolId', pool_id`)} AS monitors,
         ${partsOf('l7_policies', `, 'listenerId', listener_id, 'poolId', redirect_pool_id`)} AS policies,
         ${partsOf('l7_rules')} AS rules
    FROM load_balancers AS one WHERE id = ANY($1)`;

export function skeletonsOf(
  { manager }: RequestContext,
  ids: readonly string[],
): Promise<Skeleton[]> {
  return preparedRows<Skeleton>(manager, SKELETONS, [ids]);
}
