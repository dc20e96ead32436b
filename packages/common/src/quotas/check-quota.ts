import { QuotaExceededError, QuotaExhaustedError, RequestTooGreatError } from './quota.errors.js';

export interface QuotaUsage {
  /** Units that the project may have; -1 is unlimited. */
  readonly limit: number;
  /** Units in use; 0 for limits of single requests. */
  readonly used: number;
}

/**
 * @param isCounted false for limits of single requests
 * @throws QuotaExhaustedError if nothing is left
 * @throws QuotaExceededError or RequestTooGreatError if less is left than requested
 */
export function checkQuota(
  resource: string,
  requested: number,
  { limit, used }: QuotaUsage,
  isCounted = true,
): void {
  if (limit < 0 || requested <= 0 || used + requested <= limit) return;
  if (!isCounted) throw new RequestTooGreatError(resource, requested, limit);
  throw used >= limit
    ? new QuotaExhaustedError(resource, limit)
    : new QuotaExceededError(resource, requested, used, limit);
}
