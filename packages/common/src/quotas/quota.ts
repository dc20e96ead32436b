/**
 * Quotas: usage is counted from rows, inside the creating transaction, under a lock of that project
 * and resource. No counter can drift, and no two requests get the same last unit.
 */
import type { RequestContext } from '../context/request-context.js';
import { transactionLock } from '../database/advisory-lock.js';
import { DomainError } from '../errors/domain-error.js';

/** Something is left, but less than requested: 403. */
export class QuotaExceededError extends DomainError {
  constructor(resource: string, requested: number, used: number, limit: number) {
    super(
      'quota-exceeded',
      `Quota exceeded for ${resource}: requested ${requested}, ${limit - used} of ${limit} left`,
    );
  }
}

/** Nothing is left: 413. */
export class QuotaExhaustedError extends DomainError {
  constructor(resource: string, limit: number) {
    super('quota-exhausted', `Quota exhausted for ${resource}: all ${limit} are in use`);
  }
}

export interface QuotaRequest {
  /** The resource as messages name it: `cores`. */
  readonly resource: string;
  readonly requested: number;
  /** Units that a project may have; -1 means unlimited. */
  readonly limit: number;
}

/**
 * Call it first in the transaction that inserts the rows.
 * @param used counts the project's usage of each resource from rows, in one statement
 * @throws QuotaExceededError if less is left than requested
 * @throws QuotaExhaustedError if nothing is left
 */
export async function claimQuota(
  ctx: RequestContext,
  requests: readonly QuotaRequest[],
  used: (ctx: RequestContext) => Promise<Readonly<Record<string, number>>>,
): Promise<void> {
  const names = requests.map(({ resource }) => resource).sort();
  for (const name of names) await transactionLock(ctx.manager, `quota:${ctx.projectId}:${name}`);
  const usage = await used(ctx);
  for (const { resource, requested, limit } of requests)
    checkQuota(resource, requested, usage[resource] ?? 0, limit);
}

export function checkQuota(resource: string, requested: number, used: number, limit: number): void {
  if (limit < 0 || requested <= 0 || used + requested <= limit) return;
  throw used >= limit
    ? new QuotaExhaustedError(resource, limit)
    : new QuotaExceededError(resource, requested, used, limit);
}
