/**
 * The input of operating statuses, read for many load balancers at once; and the changed statuses,
 * written by one statement for each table.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { OperatingStatus } from '../resources/values.js';
import type { LoadBalancerState } from '../tree/load-balancer.states.js';

/** By id, of the load balancer and of all that it has. */
export type OperatingStatuses = ReadonlyMap<string, OperatingStatus>;

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

const PARTS = {
  listeners: 'listeners',
  pools: 'pools',
  members: 'members',
  monitors: 'health_monitors',
  policies: 'l7_policies',
  rules: 'l7_rules',
} as const;

type Changes = Map<string, [id: string, loadBalancerId: string, status: OperatingStatus][]>;

/** @param found the statuses of each tree that was looked at, with the tree as it was read */
export function changesIn(found: readonly (readonly [Skeleton, OperatingStatuses])[]): Changes {
  const changes: Changes = new Map();
  const note = (
    table: string,
    tree: Skeleton,
    part: SkeletonPart,
    all: OperatingStatuses,
  ): void => {
    const status = all.get(part.id);
    if (status === undefined || status === part.status) return;
    const known = changes.get(table) ?? [];
    known.push([part.id, tree.id, status]);
    changes.set(table, known);
  };
  for (const [tree, statuses] of found) {
    note('load_balancers', tree, tree, statuses);
    for (const [parts, table] of Object.entries(PARTS) as [keyof typeof PARTS, string][])
      for (const part of tree[parts]) note(table, tree, part, statuses);
  }
  return changes;
}

/**
 * Trees that somebody has just taken, or that another host has by now, are passed over: whoever
 * changes a tree holds its load balancer first, so nobody waits for anybody in a circle.
 * @param host whose they must be; undefined in a transaction that holds them
 */
export async function writeChanges(
  { manager }: RequestContext,
  changes: Changes,
  host?: string,
): Promise<void> {
  for (const [table, rows] of changes) {
    const owner = table === 'load_balancers' ? 'id' : 'load_balancer_id';
    await preparedRows(
      manager,
      `WITH held AS (
         SELECT id FROM load_balancers WHERE id = ANY($2) AND ($4::text IS NULL OR host = $4)
            FOR NO KEY UPDATE SKIP LOCKED)
       UPDATE ${table} SET operating_status = new.status
         FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS new (id, load_balancer_id, status)
        WHERE ${table}.id = new.id AND ${table}.operating_status <> new.status
          AND ${table}.${owner} IN (SELECT id FROM held)`,
      [
        rows.map(([id]) => id),
        rows.map(([, id]) => id),
        rows.map(([, , one]) => one),
        host ?? null,
      ],
    );
  }
}
