/**
 * Turns a domain error into an answer. Each service adds one function, its envelope, that writes a
 * problem in the body that its clients read.
 */
import { STATUS_CODES } from 'node:http';
import { DomainError, type ErrorKind } from '../errors/domain-error.js';

export interface Problem {
  readonly status: number;
  /** The reason phrase: `Not Found`. */
  readonly title: string;
  readonly message: string;
  /** The error's class without its suffix: `ServerNotFound`. */
  readonly type: string;
  readonly requestId: string;
  readonly retryAfter: number | undefined;
}

/** Writes a problem as a service's error body: an object for JSON, or text in another form. */
export type ErrorEnvelope = (problem: Problem) => unknown;

const STATUS: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  timeout: 408,
  conflict: 409,
  gone: 410,
  'length-required': 411,
  'precondition-failed': 412,
  'too-large': 413,
  'unsupported-media-type': 415,
  'range-not-satisfiable': 416,
  unprocessable: 422,
  'rate-limited': 429,
  'quota-exceeded': 403,
  'quota-exhausted': 413,
  unsupported: 501,
  unavailable: 503,
  transient: 503,
  'not-ready': 503,
  bug: 500,
};

/** The media type of error bodies, where a service has no other. */
export const ERROR_MEDIA_TYPE = 'application/json';

export interface ErrorForm {
  readonly envelope: ErrorEnvelope;
  /** The media type of what the envelope writes; JSON by default. */
  readonly errorMediaType?: string;
}

/** An unknown error reveals nothing: its text may hold a query, a path or a secret. */
const UNKNOWN = 'An unexpected error prevented the server from fulfilling your request.';

export function toProblem(error: unknown, requestId: string): Problem {
  const known = error instanceof DomainError && error.kind !== 'bug' ? error : undefined;
  const status = known ? STATUS[known.kind] : 500;
  return {
    status,
    title: STATUS_CODES[status] ?? 'Error',
    message: known?.message ?? UNKNOWN,
    type: known ? known.name.replace(/Error$/, '') : 'InternalServerError',
    requestId,
    retryAfter: known?.retryAfter,
  };
}

/** The platform's own body: `{"itemNotFound": {"code": 404, "message": "…"}}`. */
export const platformEnvelope: ErrorEnvelope = ({ status, message }) => ({
  [outerKey(status)]: { code: status, message },
});

/** The outer keys that do not derive from the reason phrase (API reference, "Errors"). */
const OUTER_KEYS: Readonly<Record<number, string>> = {
  404: 'itemNotFound',
  409: 'conflictingRequest',
  413: 'overLimit',
  500: 'internalServerError',
};

/** The platform's outer key for a status: `itemNotFound`, else the reason phrase in camelCase. */
export function outerKey(status: number): string {
  const known = OUTER_KEYS[status];
  if (known) return known;
  const words = (STATUS_CODES[status] ?? 'Error').replaceAll(/[^A-Za-z ]/g, '').split(' ');
  return words
    .map((word, at) =>
      at === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
    )
    .join('');
}
