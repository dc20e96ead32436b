/**
 * Errors as Neutron's clients read them: `{"NetworkError": {"type", "message", "detail"}}`, where
 * `type` is the class that Neutron would have thrown.
 */
import type { ErrorEnvelope } from '@cumulet/common/http/error-envelope';

/** Classes that all services share, by Neutron's name for the same; others are named as Neutron's. */
const TYPES: Readonly<Record<string, string>> = {
  Forbidden: 'PolicyNotAuthorized',
  InternalServerError: 'HTTPInternalServerError',
  MethodNotAllowed: 'HTTPMethodNotAllowed',
  QuotaExceeded: 'OverQuota',
  QuotaExhausted: 'OverQuota',
  RouteNotFound: 'HTTPNotFound',
  Unauthenticated: 'HTTPUnauthorized',
  UnsupportedOperation: 'HTTPNotImplemented',
};

/** Classes whose names end in `Error` in Neutron, too. */
const ERRORS: readonly string[] = [
  'AddressScopeUpdate',
  'MaxPrefixSubnetAllocation',
  'MinPrefixSubnetAllocation',
  'NetworkAddressScopeAffinity',
  'NetworkSubnetPoolAffinity',
  'PolicyRemoveAuthorization',
  'RbacPolicyInit',
  'SubnetAllocation',
  'SubnetPoolDelete',
];

export const networkEnvelope: ErrorEnvelope = ({ type, message }) => ({
  NetworkError: {
    type: ERRORS.includes(type) ? `${type}Error` : (TYPES[type] ?? type),
    message,
    detail: '',
  },
});
