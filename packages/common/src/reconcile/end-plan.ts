import type { RequestContext } from '../context/request-context.js';
import { inTransaction } from '../database/transaction.js';
import { transition } from '../states/transition.js';
import type { ReconciledRow, Reconciler } from './reconciler.js';

/**
 * Moves a row out of the state that a plan has worked on, with all else that changes with it.
 * @throws WrongStateError or RowGoneError where somebody else was faster
 */
export async function endPlan<Row extends ReconciledRow<S>, S extends string, E extends string>(
  reconciler: Reconciler<Row, S, E>,
  ctx: RequestContext,
  id: string,
  event: E,
  reason: string | null,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await transition(tx, reconciler.states, id, event, { reason });
    await reconciler.ended?.(tx, id, event, reason);
  });
}
