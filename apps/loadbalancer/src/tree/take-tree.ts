/**
 * The guard of a load balancer with its parts: whoever changes any of it takes all of it first, by
 * one compare-and-set on the load balancer's row. Of two writers one wins, the other is told that it
 * is immutable; so is everybody until what was changed has been applied.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import {
  RowChangedError,
  SupersededError,
  transition,
  WrongStateError,
} from '@cumulet/common/states/transition';
import { nudge } from '@cumulet/common/jobs/nudge';
import { ImmutableObjectError, NotFoundError } from '../resources/octavia.errors.js';
import type { LoadBalancer } from './load-balancer.entity.js';
import { type LoadBalancerEvent, loadBalancerStates } from './load-balancer.states.js';
import { PART_TABLES, type PartTable } from './tree.columns.js';

/**
 * Takes it, and has its reconciler apply what the transaction changes.
 * @param event `change`, unless it is the load balancer itself that something is asked of
 * @throws ImmutableObjectError while it is being changed, or goes
 * @throws NotFoundError
 */
export async function takeTree(
  tx: RequestContext,
  id: string,
  event: Extract<LoadBalancerEvent, 'change' | 'failover' | 'remove'> = 'change',
): Promise<void> {
  try {
    await transition(tx, loadBalancerStates, id, event);
  } catch (error) {
    // The latter where its change ended between the statement that found it changing and a look at why.
    if (error instanceof WrongStateError || error instanceof RowChangedError)
      throw new ImmutableObjectError('Load Balancer', id);
    throw error;
  }
  const [row] = await preparedRows<{ host: string | null }>(
    tx.manager,
    'SELECT host FROM load_balancers WHERE id = $1',
    [id],
  );
  if (!row) throw new NotFoundError('Load Balancer', id);
  await nudgeLoadBalancer(tx, { id, host: row.host });
}

/** What changes with a part of it: its ancestors, say. Those that are new or go stay so. */
export async function markUpdating(
  tx: RequestContext,
  table: PartTable,
  ids: readonly (string | null)[],
): Promise<void> {
  const marked = ids.filter((id) => id !== null);
  if (marked.length === 0) return;
  await preparedRows(
    tx.manager,
    `UPDATE ${table} SET provisioning_status = 'PENDING_UPDATE'
      WHERE id = ANY($1) AND provisioning_status IN ('ACTIVE', 'ERROR')`,
    [marked],
  );
}

/** They stay visible until the tree without them has been applied. */
export async function markDeleting(
  tx: RequestContext,
  table: PartTable,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await preparedRows(
    tx.manager,
    `UPDATE ${table} SET provisioning_status = 'PENDING_DELETE' WHERE id = ANY($1)`,
    [ids],
  );
}

/** Whether it has listeners or pools, and so anything; what is being deleted does not count. */
export async function hasParts({ manager }: RequestContext, id: string): Promise<boolean> {
  const present = `load_balancer_id = $1 AND provisioning_status <> 'PENDING_DELETE'`;
  const rows = await preparedRows(
    manager,
    `SELECT FROM listeners WHERE ${present} UNION ALL SELECT FROM pools WHERE ${present} LIMIT 1`,
    [id],
  );
  return rows.length > 0;
}

const deletions = PART_TABLES.map(
  (table, at) =>
    `p${at} AS (UPDATE ${table} SET provisioning_status = 'PENDING_DELETE' WHERE load_balancer_id = $1)`,
);

export async function markAllDeleting({ manager }: RequestContext, id: string): Promise<void> {
  await preparedRows(manager, `WITH ${deletions.join(', ')} SELECT`, [id]);
}

/**
 * Has one that does not run as its rows say applied again.
 * @param one as it was seen
 * @returns whether nobody has moved it meanwhile, who knows better
 */
export async function applyAgain(
  ctx: RequestContext,
  one: Pick<LoadBalancer, 'id' | 'host' | 'generation'>,
  reason: string,
): Promise<boolean> {
  const { id, host, generation } = one;
  try {
    await inTransaction(ctx, async (tx) => {
      await transition(tx, loadBalancerStates, id, 'change', {
        only: { host, generation },
        reason,
      });
      await nudgeLoadBalancer(tx, one);
    });
    return true;
  } catch (error) {
    if (error instanceof SupersededError) return false;
    throw error;
  }
}

/** Work on load balancers without a host, which any worker may take. */
export const UNPLACED = 'load_balancer';

/** Work on a host's load balancers, which only that host's worker takes. */
export function taskOfHost(host: string): string {
  return `load_balancer@${host}`;
}

type Placed = Pick<LoadBalancer, 'id' | 'host'>;

export function taskOf({ host }: Pick<LoadBalancer, 'host'>): string {
  return host === null ? UNPLACED : taskOfHost(host);
}

export function nudgeLoadBalancer(ctx: RequestContext, one: Placed): Promise<void> {
  return nudge(ctx, { task: taskOf(one), resource: 'load_balancer', id: one.id });
}
