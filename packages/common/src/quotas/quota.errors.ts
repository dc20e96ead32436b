import { errorOf, invalid } from '../errors/domain-error.js';

/** Something is left, but less than requested: 403. */
export class QuotaExceededError extends errorOf(
  'quota-exceeded',
  (resource: string, requested: number, used: number, limit: number) =>
    `Quota exceeded for ${resource}: requested ${requested}, ${limit - used} of ${limit} left`,
) {}

/** Nothing is left: 413. */
export class QuotaExhaustedError extends errorOf(
  'quota-exhausted',
  (resource: string, limit: number) => `Quota exhausted for ${resource}: all ${limit} are in use`,
) {}

/** Beyond a limit of single requests: 403. */
export class RequestTooGreatError extends errorOf(
  'quota-exceeded',
  (resource: string, requested: number, limit: number) =>
    `Quota exceeded for ${resource}: requested ${requested}, a request may have ${limit}`,
) {}

/** A new limit is below the usage; in Nova's words. */
export class QuotaBelowUsageError extends invalid(
  (resource: string, limit: number, used: number) =>
    `Quota limit ${limit} for ${resource} must be greater than or equal to already used and reserved ${used}.`,
) {}
