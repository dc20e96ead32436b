/**
 * Keeps tokens and revocations in order: whoever issues a token reads what it is made of under the
 * shared lock, and whoever takes something away holds the exclusive one until it has committed.
 *
 * Always holds: a token is either made of rows as the revocation left them, or was issued before the
 * revocation by the database's clock, and is revoked by it. Never is a token of old rows newer than
 * the event that should revoke it, whichever replicas have a hand in it and whatever their clocks say.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';

const LOCK = 'cumulet:identity:issuance';

/** @returns the moment of issue in milliseconds, by the database's clock */
export async function lockForIssue(tx: RequestContext): Promise<number> {
  // The clock is read for the row that the lock has let through: it may have been waited for.
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
