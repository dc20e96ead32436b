import { DomainError } from '@cumulet/common/errors/domain-error';
import { StoreFullError, StoreUnavailableError } from '../images/image.errors.js';

/** Converts a file system error into the store's own. */
export function storeError(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  const code = errorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new StoreFullError(error)
    : new StoreUnavailableError(error);
}

/** The answers of an S3 service that is full. */
const FULL = new Set([
  'QuotaExceeded',
  'QuotaExceededException',
  'InsufficientStorage',
  'XMinioStorageFull',
  'EntityTooLarge',
]);
const INSUFFICIENT_STORAGE = 507;

/** Converts an S3 client's error into the store's own. A missing bucket is not a missing object. */
export function s3Error(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  return FULL.has(errorName(error)) || httpStatus(error) === INSUFFICIENT_STORAGE
    ? new StoreFullError(error)
    : new StoreUnavailableError(error);
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
