import { DomainError } from '@cumulet/common/errors/domain-error';
import { StoreFullError, StoreUnavailableError } from '../images/image.errors.js';

/** What the file system threw, as the store's own error. */
export function storeError(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  const code = errorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new StoreFullError(error)
    : new StoreUnavailableError(error);
}

export function errorCode(error: unknown): unknown {
  return (error as { readonly code?: unknown }).code;
}
