import { SupersededError } from './transition.js';
import { DomainError } from '../errors/domain-error.js';

/** Whether whoever was asked has said no, rather than nothing. */
export function isRefusal(error: unknown): error is DomainError {
  if (!(error instanceof DomainError) || error instanceof SupersededError) return false;
  return error.kind !== 'transient' && error.kind !== 'unavailable';
}
