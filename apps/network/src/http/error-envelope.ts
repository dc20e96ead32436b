/**
 * Error bodies in Neutron's format: `{"NetworkError": {"type", "message", "detail"}}`, where `type`
 * is Neutron's exception class.
 */
import type { ErrorEnvelope } from '@cumulet/common/http/error-envelope';

/** Neutron's names of errors that all services share; other classes have its names already. */
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
