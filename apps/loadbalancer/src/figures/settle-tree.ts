/** What becomes of the parts of a load balancer once what was asked for has been applied, or cannot be. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { operatingStatuses } from './operating-statuses.js';
import { skeletonsOf, changesIn, writeChanges } from './skeleton.js';
import { PART_TABLES } from '../tree/tree.columns.js';

const deletions = PART_TABLES.map(
  (table, at) => `d${at} AS (DELETE FROM ${table}
     WHERE load_balancer_id = $1 AND provisioning_status = 'PENDING_DELETE')`,
);

const updates = PART_TABLES.map(
  (table, at) => `u${at} AS (UPDATE ${table}
       SET provisioning_status = $2, updated_at = clock_timestamp()
     WHERE load_balancer_id = $1 AND provisioning_status = ANY($3))`,
);

const PENDING = ['PENDING_CREATE', 'PENDING_UPDATE', 'PENDING_DELETE'];

/** Why it was to be applied has been dealt with. */
const REASON = `reason AS (UPDATE load_balancers
       SET state_reason = NULL, updated_at = clock_timestamp()
     WHERE id = $1)`;

/**
 * Those that were to go are gone, the others are as they should be: also what could not be applied
 * before, since all that stays has been.
 */
export async function settleApplied(tx: RequestContext, id: string): Promise<void> {
  await preparedRows(tx.manager, `WITH ${deletions.join(', ')} SELECT`, [id]);
  const mended = [...PENDING, 'ERROR'];
  await preparedRows(tx.manager, `WITH ${[REASON, ...updates].join(', ')} SELECT`, [
    id,
    'ACTIVE',
    mended,
  ]);
  await show(tx, id);
}

/** What nobody measures shows at once whether it is switched on; what somebody does, until then. */
async function show(tx: RequestContext, id: string): Promise<void> {
  const trees = await skeletonsOf(tx, [id]);
  const found = trees.map((tree) => [tree, operatingStatuses(tree, 'unseen')] as const);
  await writeChanges(tx, changesIn(found));
}

/** None of them is as it should be; a further change of any is another try for all. */
export async function settleFailed(tx: RequestContext, id: string): Promise<void> {
  await preparedRows(tx.manager, `WITH ${updates.join(', ')} SELECT`, [id, 'ERROR', PENDING]);
}
