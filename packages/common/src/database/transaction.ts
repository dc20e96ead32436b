import type { RequestContext } from '../context/request-context.js';

/**
 * Runs `work` in one transaction, on a context whose manager is bound to it. Inside an open
 * transaction it joins, so that services can call each other's methods.
 *
 * Never call a driver or another service in here: a transaction only reads and writes rows.
 */
export async function inTransaction<T>(
  ctx: RequestContext,
  work: (ctx: RequestContext) => Promise<T>,
): Promise<T> {
  if (ctx.manager.queryRunner?.isTransactionActive) return work(ctx);
  return ctx.manager.transaction((manager) => work(ctx.withManager(manager)));
}
