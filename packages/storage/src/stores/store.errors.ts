/** The errors of stores. `holds` is what the store's bytes are of, in one word: `image`. */
import { DomainError, errorOf } from '@cumulet/common/errors/domain-error';

export class StoreFullError extends DomainError {
  constructor(holds: string, cause: unknown) {
    super('too-large', `The ${holds} store is full.`, { cause, forOperator: true });
  }
}

export class StoreUnavailableError extends DomainError {
  constructor(holds: string, cause: unknown) {
    super('unavailable', `The ${holds} store cannot be used at present.`, {
      retryAfter: 5,
      cause,
    });
  }
}

/** The store cannot be used at all; only the operator who starts the service sees this. */
export class StoreUnusableError extends DomainError {
  constructor(holds: string, store: string, cause: Error) {
    super('unavailable', `The ${holds} store ${store} cannot be used: ${cause.message}`, { cause });
  }
}

/**
 * The row says that the data is there, but the store has none: damage, and never the caller's
 * fault.
 */
export class DataMissingError extends DomainError {
  constructor(dataId: string, cause?: unknown) {
    super('bug', `the store has no data ${dataId}`, { cause });
  }
}

/** The store holds the data of another database, which a sweep would take for orphans. */
export class StoreOfAnotherDatabaseError extends errorOf(
  'bug',
  (holds: string, store: string) => `The ${holds} store ${store} belongs to another database.`,
) {}

/**
 * It may be a place where the right store is not mounted; only the operator who starts the service
 * sees this.
 * @param claimed the store that the database has claimed, if it recorded one
 */
export class StoreUnmarkedError extends errorOf(
  'unavailable',
  (holds: string, store: string, claimed: string | null) =>
    `The ${holds} store (${store}) is empty or not mounted, but this database keeps the data of its ${holds}s in ${claimed ?? 'another'}: mount that one or name it in the settings.`,
) {}

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
