import type { Logger } from 'pino';
import type { RequestContext } from '../context/request-context.js';
import { inTransaction } from '../database/transaction.js';
import { transition } from '../states/transition.js';
import { failureOf } from '../states/state-table.js';
import type { ReconciledRow, Reconciler } from './reconciler.js';

/**
 * Moves a row out of the state that a plan worked on, with everything that changes with it.
 * @param row as it was when the work began
 * @throws SupersededError if the row has been moved or removed since
 */
export async function endPlan<Row extends ReconciledRow>(
  reconciler: Reconciler<Row>,
  ctx: RequestContext,
  row: Row,
  event: string,
  reason: string | null,
  logger: Logger,
): Promise<void> {
  const { id, generation } = row;
  const last = await inTransaction(ctx, async (tx) => {
    const now = reconciler.afterEnd && (await reconciler.load(tx, id));
    await reconciler.beforeEnd?.(tx, row);
    await transition(tx, reconciler.states, id, event, { only: { generation }, reason });
    await reconciler.ended?.(tx, id, event, reason);
    return now;
  });
  try {
    if (last) await reconciler.afterEnd?.(ctx, last);
  } catch (error) {
    const { resource } = reconciler.states;
    logger.warn({ err: error, resource, id }, 'could not remove what the row has left');
  }
}

/** The event that ends a state whose work failed for good: the plan's own, or the table's. */
export function failureOfPlan<Row extends ReconciledRow>(
  { states, plans }: Reconciler<Row>,
  state: string,
): string {
  return failureOf(states, state, plans[state]?.failure);
}
