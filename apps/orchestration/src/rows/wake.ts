/** Resources that are being worked on look again at once, rather than when they next would. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { nudgeAll, type Nudge } from '@cumulet/common/jobs/nudge';
import type { LoadedResource } from './loaded-resource.js';
import type { Released } from './resource-end.repository.js';

const IS_UNDER_WAY = `state NOT IN ('settled', 'waiting')`;

/** A resource and those that were made to wait for it, as a wait condition for its handle. */
export async function wakeWaiting(
  tx: RequestContext,
  { id, name, stackId }: Pick<LoadedResource, 'id' | 'name' | 'stackId'>,
): Promise<void> {
  const rows = await preparedRows<Released>(
    tx.manager,
    `SELECT id, turn FROM stack_resources
      WHERE stack_id = $1 AND (id = $2 OR $3 = ANY(requires)) AND ${IS_UNDER_WAY}`,
    [stackId, id, name],
  );
  await wake(tx, rows);
}

/** The resource that stands for this thing. */
export async function wakeOwner(tx: RequestContext, physicalId: string): Promise<void> {
  const rows = await preparedRows<Released>(
    tx.manager,
    `SELECT id, turn FROM stack_resources WHERE physical_id = $1 AND ${IS_UNDER_WAY}`,
    [physicalId],
  );
  await wake(tx, rows);
}

async function wake(tx: RequestContext, rows: readonly Released[]): Promise<void> {
  if (rows.length > 0) await nudgeAll(tx, rows.map(nudgeOfResource));
}

export function nudgeOfResource({ id, turn = 0 }: { id: string; turn?: number }): Nudge {
  return { task: 'stack_resource', resource: 'stack_resource', id, turn };
}

export function nudgeOfStack(id: string): Nudge {
  return { task: 'stack', resource: 'stack', id };
}
