/**
 * Orders tokens and revocations: issuing a token reads the rows that it is made from under the
 * shared lock, and taking something away holds the exclusive one until it has committed.
 *
 * Always holds: a token is either made from rows as the revocation left them, or was issued before
 * it by the database's clock, and is revoked by it. A token made from old rows is never newer than
 * the event that should revoke it, whichever replicas are involved and whatever their clocks say.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';

const LOCK = 'cumulet:identity:issuance';

/** @returns the time of issue in milliseconds, by the database's clock */
export async function lockForIssue(tx: RequestContext): Promise<number> {
  // The clock is read once the lock is held: waiting for it may have taken a while.
  const [row] = await preparedRows<{ now: Date }>(
    tx.manager,
    `WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0)))
     SELECT clock_timestamp() AS now FROM locked`,
    [LOCK],
  );
  if (!row) throw new Error('the database has no clock');
  return row.now.getTime();
}

export async function lockForRevocation(tx: RequestContext): Promise<void> {
  await tx.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [LOCK]);
}
