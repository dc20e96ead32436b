/** Lets resources in progress look again at once. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { nudgeAll, type Nudge } from '@cumulet/common/jobs/nudge';
import type { Released } from './resource-end.repository.js';
import type { LoadedResource } from './stack-resource.entity.js';

const IS_UNDER_WAY = `state NOT IN ('settled', 'waiting')`;

/** A resource and its waiters, such as the wait condition of a handle. */
export async function nudgeWaiting(
  tx: RequestContext,
  { id, name, stackId }: Pick<LoadedResource, 'id' | 'name' | 'stackId'>,
): Promise<void> {
  const rows = await preparedRows<Released>(
    tx.manager,
    `SELECT id, turn FROM stack_resources
      WHERE stack_id = $1 AND (id = $2 OR $3 = ANY(requires)) AND ${IS_UNDER_WAY}`,
    [stackId, id, name],
  );
  await nudgeRows(tx, rows);
}

export async function nudgeOwner(tx: RequestContext, physicalId: string): Promise<void> {
  const rows = await preparedRows<Released>(
    tx.manager,
    `SELECT id, turn FROM stack_resources WHERE physical_id = $1 AND ${IS_UNDER_WAY}`,
    [physicalId],
  );
  await nudgeRows(tx, rows);
}

async function nudgeRows(tx: RequestContext, rows: readonly Released[]): Promise<void> {
  if (rows.length > 0) await nudgeAll(tx, rows.map(nudgeOfResource));
}

export function nudgeOfResource({ id, turn = 0 }: { id: string; turn?: number }): Nudge {
  return { task: 'stack_resource', resource: 'stack_resource', id, turn };
}

export function nudgeOfStack(id: string): Nudge {
  return { task: 'stack', resource: 'stack', id };
}

const ALONE = `SELECT pg_advisory_xact_lock(hashtextextended('cumulet:stack:' || $1, 0))`;
const SHARED = `SELECT pg_advisory_xact_lock_shared(hashtextextended('cumulet:stack:' || $1, 0))`;

/**
 * A transaction that writes many rows of a stack's resources holds this lock exclusively; one that
 * ends the work on a single resource shares it. Taking it before any row lock prevents deadlocks,
 * whichever rows the transaction locks first.
 */
export async function lockStack({ manager }: RequestContext, stackId: string): Promise<void> {
  await preparedRows(manager, ALONE, [stackId]);
}

export async function shareStack({ manager }: RequestContext, stackId: string): Promise<void> {
  await preparedRows(manager, SHARED, [stackId]);
}
