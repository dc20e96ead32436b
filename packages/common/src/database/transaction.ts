import {
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  TransactionNotStartedError,
} from 'typeorm';
import type { RequestContext } from '../context/request-context.js';
import { UnavailableError } from '../errors/domain-error.js';

/** What TypeORM throws at the next statement once it has dropped a lost connection. */
const LOST = [
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  TransactionNotStartedError,
];

/**
 * Runs `work` in one transaction, on a context whose manager is bound to it. Inside an open
 * transaction it joins, so that services can call each other's methods.
 *
 * Never call a driver or another service in here: a transaction only reads and writes rows.
 * @throws UnavailableError if the connection is lost on the way
 */
export async function inTransaction<T>(
  ctx: RequestContext,
  work: (ctx: RequestContext) => Promise<T>,
): Promise<T> {
  if (ctx.manager.queryRunner?.isTransactionActive) return work(ctx);
  try {
    return await ctx.manager.transaction((manager) => work(ctx.withManager(manager)));
  } catch (error) {
    if (!LOST.some((type) => error instanceof type)) throw error;
    throw new UnavailableError('The service lost its database half way through the request.', {
      cause: error,
    });
  }
}
