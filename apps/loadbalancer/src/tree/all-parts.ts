/** What is done with all parts of a load balancer at once. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { PART_TABLES } from './parts.js';

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
