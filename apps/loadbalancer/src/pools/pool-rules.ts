/**
 * What of a pool goes together. Pure.
 * Public source: octavia, `api/v2/controllers/pool.py`, `db/prepare.py`.
 */
import {
  ProviderUnsupportedOptionError,
  ValidationExceptionError,
} from '../resources/octavia.errors.js';
import { isDatagram } from '../parts/protocols.js';
import {
  DEFAULT_ALPN_PROTOCOLS,
  DEFAULT_CIPHERS,
  DEFAULT_TLS_VERSIONS,
} from '../parts/tls-options.js';
import type { Pool } from '../tree/pool.entity.js';

type TlsColumns = Pick<
  Pool,
  | 'tlsEnabled'
  | 'tlsCiphers'
  | 'tlsVersions'
  | 'alpnProtocols'
  | 'caTlsContainerRef'
  | 'crlContainerRef'
>;

type GivenTls = {
  readonly [K in keyof TlsColumns]?: TlsColumns[K] | null | undefined;
};

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
export function tlsColumns(given: GivenTls, before: TlsColumns = NO_TLS): TlsColumns {
  const of = <K extends keyof TlsColumns>(name: K): TlsColumns[K] | null => {
    const value = given[name];
    return value === undefined ? before[name] : value;
  };
  const ca = of('caTlsContainerRef');
  const revocations = of('crlContainerRef');
  if (revocations !== null && ca === null) {
    throw new ValidationExceptionError(
      before.caTlsContainerRef === null
        ? 'A CA certificate reference is required to specify a revocation list.'
        : 'A CA reference cannot be removed when a certificate revocation list is present.',
    );
  }
  const tlsEnabled = of('tlsEnabled') ?? false;
  const versions = of('tlsVersions') ?? [];
  const protocols = of('alpnProtocols') ?? [];
  const isStandard = (list: readonly string[]): boolean => tlsEnabled && list.length === 0;
  return {
    tlsEnabled,
    tlsCiphers: of('tlsCiphers') ?? (tlsEnabled ? DEFAULT_CIPHERS : null),
    tlsVersions: isStandard(versions) ? [...DEFAULT_TLS_VERSIONS] : versions,
    alpnProtocols: isStandard(protocols) ? [...DEFAULT_ALPN_PROTOCOLS] : protocols,
    caTlsContainerRef: ca,
    crlContainerRef: revocations,
  };
}

/** @throws ProviderUnsupportedOptionError for what the load balancer's provider cannot do */
export function requireSupported(
  provider: string,
  { protocol, lbAlgorithm }: Pick<Pool, 'protocol' | 'lbAlgorithm'>,
): void {
  if (provider !== 'ovn') {
    if (!isDatagram(protocol)) return;
    throw new ProviderUnsupportedOptionError(
      provider,
      `pools of protocol ${protocol} are not supported.`,
    );
  }
  if (protocol !== 'TCP' && !isDatagram(protocol)) {
    throw new ProviderUnsupportedOptionError(
      provider,
      `pools of protocol ${protocol} are not supported; supported: TCP, UDP, SCTP.`,
    );
  }
  if (lbAlgorithm !== 'SOURCE_IP_PORT') {
    throw new ProviderUnsupportedOptionError(
      provider,
      `the algorithm ${lbAlgorithm} is not supported; supported: SOURCE_IP_PORT.`,
    );
  }
}
