/**
 * Translates errors of Fastify, Nest and pg into the domain's. Any other error is unknown, and
 * answers 500 without detail.
 */
import { HttpException } from '@nestjs/common';
import {
  DomainError,
  InvalidInputError,
  UnavailableError,
  type ErrorKind,
} from './domain-error.js';

class RequestTooLargeError extends DomainError {
  constructor(cause: unknown) {
    super('too-large', 'The request body is larger than this operation accepts.', { cause });
  }
}

class RequestCutOffError extends InvalidInputError {
  constructor(cause: unknown) {
    super('The connection was closed before the request body was complete.', { cause });
  }
}

class UnsupportedMediaTypeError extends DomainError {
  constructor(cause: unknown) {
    super(
      'unsupported-media-type',
      'The Content-Type of the body is not one that this operation accepts.',
      { cause },
    );
  }
}

/** Connection failures of pg and Node: the database is unreachable, and a retry may succeed. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
]);

/** Errors that pg throws without a code: a cut connection, and a pool that timed out. */
const UNREACHABLE_MESSAGE =
  /Connection terminated|not queryable|timeout exceeded when trying to connect/;

const STARTING_OR_STOPPING = new Set([
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08003',
  '08006',
]);

/** What an operator mends at Postgres, by SQLSTATE; the service then goes on by itself. */
const UNUSABLE: Readonly<Record<string, string>> = {
  '25006': 'The database of the service is read-only at present.',
  '53100': 'The database of the service has no space left at present.',
  '28P01': 'The database of the service refuses its user or password at present.',
  '28000': 'The database of the service refuses its user or password at present.',
  '3D000': 'The database of the service does not exist at present.',
  '42501': 'The database of the service refuses its user a privilege at present.',
};

/** `query_canceled`, by the limit that every statement has. */
const TIMED_OUT = '57014';

/** `deadlock_detected`, `serialization_failure`: the transaction was rolled back. */
const UNDONE = new Set(['40P01', '40001']);

/** Postgres refusing a text with U+0000: `character_not_in_repertoire` and its JSON twin. */
const NOT_STORABLE = new Set(['22021', '22P05']);

export function fromForeign(error: unknown): unknown {
  if (error instanceof DomainError || !isErrorLike(error)) return error;
  if (isCutOff(error)) return new RequestCutOffError(error);
  if (isUnreachableDatabase(error)) {
    return new UnavailableError('The service cannot reach its database at present.', {
      cause: error,
    });
  }
  const unusable = UNUSABLE[codeOf(error)];
  if (unusable !== undefined) return new UnavailableError(unusable, { cause: error });
  if (codeOf(error) === TIMED_OUT) {
    return new UnavailableError(
      'The database took too long to answer the request, which was cancelled.',
      {
        cause: error,
      },
    );
  }
  if (UNDONE.has(codeOf(error))) {
    return new DomainError(
      'transient',
      'The request conflicted with another one and was rolled back; it may be sent again.',
      { cause: error, retryAfter: 1 },
    );
  }
  if (NOT_STORABLE.has(codeOf(error))) {
    return new InvalidInputError('Invalid input: a text must not hold the character U+0000.', {
      cause: error,
    });
  }
  switch (statusOf(error)) {
    case 400:
      return new InvalidInputError(error.message, { cause: error });
    case 413:
      return new RequestTooLargeError(error);
    case 415:
      return new UnsupportedMediaTypeError(error);
    default:
      return error;
  }
}

/**
 * What is unavailable at present, by the error or one of its causes; undefined if waiting is no cure.
 */
export function unavailableIn(error: unknown): DomainError | undefined {
  const known = fromForeign(error);
  if (known instanceof DomainError && known.kind === 'unavailable') return known;
  return error instanceof Error && error.cause !== undefined
    ? unavailableIn(error.cause)
    : undefined;
}

/** Whether Postgres had no space left (`disk_full`), by the error or one of its causes. */
export function isDiskFull(error: unknown): boolean {
  if (!isErrorLike(error)) return false;
  return codeOf(error) === '53100' || isDiskFull((error as { cause?: unknown }).cause);
}

/** The status that Nest or Fastify gave to something it could not parse. */
function statusOf(error: Error): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const { statusCode } = error as Error & { statusCode?: unknown };
  const isFastify = codeOf(error).startsWith('FST_');
  return isFastify && typeof statusCode === 'number' ? statusCode : undefined;
}

/** The caller disconnected; Node uses the same code for a lost database connection. */
function isCutOff(error: Error): boolean {
  return codeOf(error) === 'ECONNRESET' && error.message === 'aborted';
}

function isUnreachableDatabase(error: Error): boolean {
  const code = codeOf(error);
  return (
    UNREACHABLE.has(code) ||
    STARTING_OR_STOPPING.has(code) ||
    isMissingSocket(error) ||
    UNREACHABLE_MESSAGE.test(error.message)
  );
}

/** A missing Unix socket of Postgres; other missing files are different errors. */
function isMissingSocket(error: Error): boolean {
  return codeOf(error) === 'ENOENT' && (error as { syscall?: unknown }).syscall === 'connect';
}

/**
 * By shape: Node's errors belong to another realm when a test runner isolates modules, and
 * Fastify's are not constructed as Errors.
 */
function isErrorLike(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && 'message' in error;
}

function codeOf(error: Error): string {
  const { code } = error as Error & { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Whether the operator should see it; others are the caller's fault. */
export function isOurFault(error: unknown): boolean {
  if (error instanceof DomainError && error.forOperator) return true;
  const kind: ErrorKind = error instanceof DomainError ? error.kind : 'bug';
  return kind === 'bug' || kind === 'unavailable' || kind === 'transient';
}
