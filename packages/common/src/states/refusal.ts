import { SupersededError } from './transition.js';
import { DomainError } from '../errors/domain-error.js';

/** Whether the other side has refused, rather than failed to answer. */
export function isRefusal(error: unknown): error is DomainError {
  if (!(error instanceof DomainError) || error instanceof SupersededError) return false;
  return error.kind !== 'transient' && error.kind !== 'unavailable';
}
