/** Failures in the XML that S3's clients read. Public source: platform API reference, "S3 XML error format". */
import { DomainError } from '@cumulet/common/errors/domain-error';
import { toProblem, type ErrorEnvelope } from '@cumulet/common/http/error-envelope';
import { fromForeign } from '@cumulet/common/errors/foreign-errors';
import { StoreFullError } from '@cumulet/storage/stores/store.errors';
import type { S3Answer } from './s3-answer.js';
import { S3Error, type ErrorDetails } from './s3-error.js';
import { writeXml, type Xml } from './xml.js';

/** For failures before a request has reached the controller. */
export const s3Envelope: ErrorEnvelope = ({ type, message, requestId }) =>
  errorBody({ code: CODES[type] ?? type, message, requestId });

export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: ErrorDetails;
  readonly headers: Readonly<Record<string, string>>;
}

/** @returns only `InternalError` for an error of the service itself */
export function failureOf(thrown: unknown, requestId: string): Failure {
  const error = asS3Error(fromForeign(thrown));
  const { status, message, retryAfter } = toProblem(error, requestId);
  const { code, details } = error;
  return {
    status: code === 'NotModified' ? 304 : status,
    ...(error.kind === 'bug' ? INTERNAL : { code, message }),
    details,
    headers: {
      ...error.headers,
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      ...(error.allow ? { allow: error.allow.join(', ') } : {}),
    },
  };
}

/** @param at the path that was asked for */
export function errorAnswer(thrown: unknown, requestId: string, at: string): S3Answer {
  const { status, headers, ...shown } = failureOf(thrown, requestId);
  return {
    status,
    errorCode: shown.code,
    headers: { 'content-type': 'application/xml', ...headers },
    ...(status === 304 ? {} : { body: errorBody({ ...shown, requestId, resource: at }) }),
  };
}

/** Maps every error to a code of S3. */
function asS3Error(error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  // Not the client's fault, and it may try again.
  if (error instanceof StoreFullError)
    return new S3Error('ServiceUnavailable', { message: error.message, cause: error });
  if (!(error instanceof DomainError)) return new S3Error('InternalError', { cause: error });
  const { message, retryAfter, allow, cause } = error;
  const options = { message, cause, allow, ...(retryAfter === undefined ? {} : { retryAfter }) };
  switch (error.kind) {
    case 'unavailable':
    case 'transient':
    case 'not-ready':
      return new S3Error('ServiceUnavailable', options as never);
    case 'quota-exceeded':
    case 'quota-exhausted':
      return new S3Error('QuotaExceeded', { ...options, kind: error.kind } as never);
    case 'invalid':
      return new S3Error('InvalidRequest', options as never);
    case 'method-not-allowed':
      return new S3Error('MethodNotAllowed', options as never);
    default:
      return new S3Error('InternalError', { cause: error });
  }
}

const INTERNAL = {
  code: 'InternalError',
  message: 'We encountered an internal error. Please try again.',
};

/** Codes of S3 for the names of common errors. */
const CODES: Readonly<Record<string, string>> = {
  InternalServerError: 'InternalError',
  RouteNotFound: 'NoSuchKey',
  Unauthenticated: 'AccessDenied',
  Forbidden: 'AccessDenied',
  Unavailable: 'ServiceUnavailable',
  Stopping: 'ServiceUnavailable',
  BadRequest: 'InvalidRequest',
  InvalidInput: 'InvalidRequest',
  RequestTooLarge: 'EntityTooLarge',
};

interface Shown extends Pick<Failure, 'code' | 'message'> {
  readonly requestId: string;
  readonly resource?: string;
  readonly details?: ErrorDetails;
}

function errorBody({ code, message, requestId, resource = '', details = {} }: Shown): Xml {
  const tree = { Code: code, Message: message, ...details, Resource: resource };
  return writeXml('Error', { ...tree, RequestId: requestId, HostId: requestId }, '');
}
