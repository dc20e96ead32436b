/** The errors of stores. `holds` is the kind of data, in one word: `image`. */
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

/** Only the operator who starts the service sees this. */
export class StoreUnusableError extends DomainError {
  constructor(holds: string, store: string, cause: Error) {
    super('unavailable', `The ${holds} store ${store} cannot be used: ${cause.message}`, { cause });
  }
}

/** A row refers to data that the store does not have. */
export class DataMissingError extends DomainError {
  constructor(dataId: string, cause?: unknown) {
    super('bug', `the store has no data ${dataId}`, { cause });
  }
}

/** A sweep would remove the data of another database as orphans. */
export class StoreOfAnotherDatabaseError extends errorOf(
  'bug',
  (holds: string, store: string) => `The ${holds} store ${store} belongs to another database.`,
) {}

/**
 * The right store may not be mounted. Only the operator who starts the service sees this.
 * @param claimed the store that the database has claimed, if it recorded one
 */
export class StoreUnmarkedError extends errorOf(
  'unavailable',
  (holds: string, store: string, claimed: string | null) =>
    `The ${holds} store (${store}) is empty or not mounted, but this database keeps the data of its ${holds}s in ${claimed ?? 'another'}: mount that one or name it in the settings.`,
) {}

/** Codes and names of errors of full file systems and S3 services. */
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
 * @param holds the kind of data: `image`
 */
export function storeError(holds: string, error: unknown): unknown {
  if (error instanceof DomainError) return error;
  const isFull =
    FULL.has(errorCode(error)) ||
    FULL.has(errorName(error)) ||
    httpStatus(error) === INSUFFICIENT_STORAGE;
  return isFull ? new StoreFullError(holds, error) : new StoreUnavailableError(holds, error);
}

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
