/**
 * Errors in the platform's form, `{"error": {"code", "message", "type"}}`, with the fields that Heat's
 * clients read: `code`, `title` and `explanation`.
 * Public source: heat, `api/middleware/fault.py`; python-heatclient, `exc.py`.
 */
import type { ErrorEnvelope } from '@cumulet/common/http/error-envelope';

/** Heat's names for the errors that all services share; the others have Heat's names already. */
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

/** WebOb's explanations of statuses, which Heat's clients show. */
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
