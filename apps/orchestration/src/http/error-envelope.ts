/**
 * Errors as the platform's clients read them, `{"error": {"code", "message", "type"}}`, and beside
 * that what Heat's own clients read: `code`, `title` and `explanation`. Public source: heat,
 * `api/middleware/fault.py`; python-heatclient, `exc.py`.
 */
import type { ErrorEnvelope } from '@cumulet/common/http/error-envelope';

/** Classes that all services share, by Heat's name for the same; others are named as Heat's. */
const TYPES: Readonly<Record<string, string>> = {
  InternalServerError: 'HTTPInternalServerError',
  InvalidInput: 'HTTPBadRequest',
  MethodNotAllowed: 'HTTPMethodNotAllowed',
  QuotaExceeded: 'RequestLimitExceeded',
  QuotaExhausted: 'RequestLimitExceeded',
  RequestTooGreat: 'RequestLimitExceeded',
  RouteNotFound: 'HTTPNotFound',
  Unauthenticated: 'HTTPUnauthorized',
  UnsupportedOperation: 'HTTPNotImplemented',
};

/** What a status means, as WebOb explains it to Heat's clients. */
const EXPLANATIONS: Readonly<Record<number, string>> = {
  400: 'The server could not comply with the request since it is either malformed or otherwise incorrect.',
  401: 'This server could not verify that you are authorized to access the document you requested.',
  403: 'Access was denied to this resource.',
  404: 'The resource could not be found.',
  409: 'There was a conflict when trying to complete your request.',
  500: 'The server has either erred or is incapable of performing the requested operation.',
  503: 'The server is currently unavailable. Please try again at a later time.',
};

export const orchestrationEnvelope: ErrorEnvelope = ({ status, title, type, message }) => ({
  error: { code: status, message, type: TYPES[type] ?? type, traceback: null },
  code: status,
  title,
  explanation: EXPLANATIONS[status] ?? message,
});
