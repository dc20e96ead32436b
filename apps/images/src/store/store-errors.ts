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

/** What an S3 service answers when it takes no more. */
const FULL = new Set([
  'QuotaExceeded',
  'QuotaExceededException',
  'InsufficientStorage',
  'XMinioStorageFull',
  'EntityTooLarge',
]);
const INSUFFICIENT_STORAGE = 507;

/** What an S3 client threw, as the store's own error. A missing bucket is no missing object. */
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
