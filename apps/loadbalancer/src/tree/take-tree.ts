/**
 * Subtree operations: a change of a load balancer or of any part first locks the whole tree, by one
 * compare-and-set on the load balancer's row. Of two writers one wins; the other, and everybody until
 * the change has been applied, is told that the load balancer is immutable.
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
 * Locks the tree, and has the reconciler apply the changes of the transaction.
 * @throws ImmutableObjectError while it is being changed or deleted
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
    // RowChangedError if the other change ended while this one was looking at why it was refused.
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

/** Marks parts, such as the ancestors of a changed one; parts that are new or being deleted stay so. */
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

/** The parts stay visible until the tree without them has been applied. */
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

/** Whether it has any part; parts that are being deleted do not count. */
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
 * Applies a load balancer again that does not run as its rows say.
 * @returns false if its state has changed since it was read
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
