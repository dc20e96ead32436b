import { DomainError } from '@cumulet/common/errors/domain-error';
import { StoreFullError, StoreUnavailableError } from './store.errors.js';

/** The codes and names by which file systems and S3 services say that they are full. */
const FULL = new Set<unknown>([
  'ENOSPC',
  'EDQUOT',
  'QuotaExceeded',
  'QuotaExceededException',
  'InsufficientStorage',
  'XMinioStorageFull',
  'EntityTooLarge',
]);
const INSUFFICIENT_STORAGE = 507;

/**
 * Converts an error of the file system or the S3 client into the store's own. A missing bucket is
 * not a missing object.
 * @param holds what the store's bytes are of: `image`
 */
export function storeError(holds: string, error: unknown): unknown {
  if (error instanceof DomainError) return error;
  const isFull =
    FULL.has(errorCode(error)) ||
    FULL.has(errorName(error)) ||
    httpStatus(error) === INSUFFICIENT_STORAGE;
  return isFull ? new StoreFullError(holds, error) : new StoreUnavailableError(holds, error);
}

/** For `catch`. */
export function rethrownBy(holds: string): (error: unknown) => never {
  return (error) => {
    throw storeError(holds, error);
  };
}

export function errorName(error: unknown): string {
  return (error as { readonly name?: string }).name ?? '';
}

function httpStatus(error: unknown): number | undefined {
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata?.httpStatusCode;
}

export function errorCode(error: unknown): unknown {
  return (error as { readonly code?: unknown }).code;
}
