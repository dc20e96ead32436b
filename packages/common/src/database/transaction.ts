import {
  type EntityManager,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  TransactionNotStartedError,
} from 'typeorm';
import type { RequestContext } from '../context/request-context.js';
import { UnavailableError } from '../errors/domain-error.js';

/** Messages of TypeORM for a statement on a lost connection. */
const LOST = [
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  TransactionNotStartedError,
];

/**
 * Runs `work` in a transaction, on a context whose manager is bound to it. It joins an open
 * transaction, so services can call each other's methods. The transaction of a request with an
 * Idempotency-Key stays open until the answer is written in it.
 *
 * Never call a driver or another service in here: a transaction only reads and writes rows.
 * @throws UnavailableError if the connection is lost
 */
export async function inTransaction<T>(
  ctx: RequestContext,
  work: (ctx: RequestContext) => Promise<T>,
): Promise<T> {
  if (ctx.manager.queryRunner?.isTransactionActive) return work(ctx);
  const bound = (manager: EntityManager): Promise<T> => work(ctx.withManager(manager));
  const { held } = ctx.fields;
  try {
    return await (held ? held.run(bound) : ctx.manager.transaction(bound));
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** Turns TypeORM's error for a lost connection into an UnavailableError. */
export function asUnavailable(error: unknown): unknown {
  if (!LOST.some((type) => error instanceof type)) return error;
  return new UnavailableError('The service lost its database during the request.', {
    cause: error,
  });
}
