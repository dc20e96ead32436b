/**
 * Who writes many rows of a stack's resources holds the stack's lock alone; who ends the work on one
 * shares it. It is taken before any of their rows and before the stack's, whether the transaction then
 * locks resources first or the stack, so that none waits for a row of one who waits for its own.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';

const ALONE = `SELECT pg_advisory_xact_lock(hashtextextended('cumulet:stack:' || $1, 0))`;
const SHARED = `SELECT pg_advisory_xact_lock_shared(hashtextextended('cumulet:stack:' || $1, 0))`;

export async function lockStack({ manager }: RequestContext, stackId: string): Promise<void> {
  await preparedRows(manager, ALONE, [stackId]);
}

export async function shareStack({ manager }: RequestContext, stackId: string): Promise<void> {
  await preparedRows(manager, SHARED, [stackId]);
}
