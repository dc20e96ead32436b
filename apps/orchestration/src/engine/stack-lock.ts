/**
 * Who writes many rows of a stack's resources holds the stack's lock alone; who settles one shares it.
 * So neither waits for rows that the other has locked while holding what the other waits for.
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
