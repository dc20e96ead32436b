import { DomainError, InvalidInputError } from '../errors/domain-error.js';

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

/** One request asks for more than any request may: 403. */
export class RequestTooGreatError extends DomainError {
  constructor(resource: string, requested: number, limit: number) {
    super(
      'quota-exceeded',
      `Quota exceeded for ${resource}: requested ${requested}, a request may have ${limit}`,
    );
  }
}

/** A new limit is less than what is in use; in Nova's words. */
export class QuotaBelowUsageError extends InvalidInputError {
  constructor(resource: string, limit: number, used: number) {
    super(
      `Quota limit ${limit} for ${resource} must be greater than or equal to already used and reserved ${used}.`,
    );
  }
}
