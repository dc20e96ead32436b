/**
 * Errors as the platform's network APIs write them, `{"NetworkError": {type, message, detail}}`, with
 * what Octavia's own clients read beside it. Public source: octaviaclient, `api/exceptions.py`.
 */
import type { ErrorEnvelope } from '@cumulet/common/http/error-envelope';

/** Classes that all services share, by Octavia's name for the same; others are named as Octavia's. */
const TYPES: Readonly<Record<string, string>> = {
  Forbidden: 'PolicyForbidden',
  InternalServerError: 'HTTPInternalServerError',
  MethodNotAllowed: 'HTTPMethodNotAllowed',
  QuotaExceeded: 'OverQuota',
  QuotaExhausted: 'OverQuota',
  RouteNotFound: 'HTTPNotFound',
  Unauthenticated: 'HTTPUnauthorized',
  UnsupportedOperation: 'HTTPNotImplemented',
};

export const loadBalancerEnvelope: ErrorEnvelope = ({ status, type, message }) => ({
  NetworkError: { type: TYPES[type] ?? type, message, detail: '' },
  faultcode: status >= 500 && status !== 501 ? 'Server' : 'Client',
  faultstring: message,
  debuginfo: null,
});
