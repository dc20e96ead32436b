/**
 * Validation of a pool. Pure.
 * Public source: octavia, `api/v2/controllers/pool.py`, `db/prepare.py`.
 */
import { POOL_PROTOCOLS } from '../data-plane/balancer-spec.js';
import { featuresOf, isDatagram } from '../providers/providers.js';
import { tlsLimits } from '../tree/tls-options.js';
import {
  ProviderUnsupportedOptionError,
  ValidationExceptionError,
} from '../resources/octavia.errors.js';
import type { GivenPersistence, Pool, SessionPersistenceFields } from '../tree/pool.entity.js';

type TlsColumns = Pick<
  Pool,
  | 'tlsEnabled'
  | 'tlsCiphers'
  | 'tlsVersions'
  | 'alpnProtocols'
  | 'caTlsContainerRef'
  | 'crlContainerRef'
>;

export const NO_TLS: TlsColumns = {
  tlsEnabled: false,
  tlsCiphers: null,
  tlsVersions: [],
  alpnProtocols: [],
  caTlsContainerRef: null,
  crlContainerRef: null,
};

/**
 * The columns of TLS, with defaults for what is null where TLS is spoken.
 * @param before what the pool has
 * @throws ValidationExceptionError for revocations without their authority
 */
export function tlsColumns(
  given: { readonly [K in keyof TlsColumns]?: TlsColumns[K] | null | undefined },
  before: TlsColumns = NO_TLS,
): TlsColumns {
  const {
    tlsEnabled = before.tlsEnabled,
    caTlsContainerRef = before.caTlsContainerRef,
    crlContainerRef = before.crlContainerRef,
  } = given;
  if (crlContainerRef !== null && caTlsContainerRef === null) {
    throw new ValidationExceptionError(
      before.caTlsContainerRef === null
        ? 'A CA certificate reference is required to specify a revocation list.'
        : 'A CA reference cannot be removed when a certificate revocation list is present.',
    );
  }
  const limits = tlsLimits(tlsEnabled ?? false, given, before);
  return { tlsEnabled: tlsEnabled ?? false, ...limits, caTlsContainerRef, crlContainerRef };
}

/** @throws ProviderUnsupportedOptionError for what the load balancer's provider cannot do */
export function requireSupported(
  provider: string,
  { protocol, lbAlgorithm }: Pick<Pool, 'protocol' | 'lbAlgorithm'>,
): void {
  const { protocols, algorithms } = featuresOf({ provider });
  const unsupported = !protocols.includes(protocol)
    ? `pools of protocol ${protocol} are not supported; supported: ${supportedPools(protocols)}.`
    : !algorithms.includes(lbAlgorithm)
      ? `the algorithm ${lbAlgorithm} is not supported; supported: ${algorithms.join(', ')}.`
      : undefined;
  if (unsupported !== undefined) throw new ProviderUnsupportedOptionError(provider, unsupported);
}

function supportedPools(protocols: readonly string[]): string {
  return POOL_PROTOCOLS.filter((one) => protocols.includes(one)).join(', ');
}

/**
 * The given value replaces the former one, except that the type is kept if it is left out.
 * @param before what the pool has
 * @throws ValidationExceptionError for what does not go together, or not with the pool's protocol
 */
export function persistenceOf(
  protocol: string,
  given: GivenPersistence | null,
  before: SessionPersistenceFields | null = null,
): SessionPersistenceFields | null {
  if (given === null) return null;
  const type = given.type ?? before?.type;
  if (type === undefined)
    throw new ValidationExceptionError('session_persistence must have a type.');
  const fields = {
    type,
    cookie_name: given.cookie_name ?? null,
    persistence_timeout: given.persistence_timeout ?? null,
    persistence_granularity: given.persistence_granularity ?? null,
  };
  const fault = isDatagram(protocol) ? datagramFault(fields, protocol) : faultOf(fields, protocol);
  if (fault !== undefined) throw new ValidationExceptionError(fault);
  return fields;
}

/** Protocols whose listeners may look into what they carry. */
const WITH_COOKIES: readonly string[] = ['HTTP', 'PROXY', 'PROXYV2'];

function faultOf(fields: SessionPersistenceFields, protocol: string): string | undefined {
  const { type, cookie_name, persistence_timeout, persistence_granularity } = fields;
  if (persistence_timeout !== null || persistence_granularity !== null)
    return 'persistence_timeout and persistence_granularity is only for UDP and SCTP protocol pools.';
  if (cookie_name !== null && type !== 'APP_COOKIE')
    return 'Field "cookie_name" can only be specified with session persistence of type "APP_COOKIE".';
  if (cookie_name === null && type === 'APP_COOKIE')
    return 'Field "cookie_name" must be specified when using the "APP_COOKIE" session persistence type.';
  if (type !== 'SOURCE_IP' && !WITH_COOKIES.includes(protocol))
    return `Session persistence of type ${type} is not supported for ${protocol} protocol pools.`;
  return undefined;
}

function datagramFault(fields: SessionPersistenceFields, protocol: string): string | undefined {
  if (fields.cookie_name !== null) return 'Cookie names are not supported for UDP/SCTP pools.';
  return fields.type === 'SOURCE_IP'
    ? undefined
    : `Session persistence of type ${fields.type} is not supported for ${protocol} protocol pools.`;
}
