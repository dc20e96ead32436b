/**
 * Validation of a new or changed listener. Pure. Public source: octavia,
 * `api/v2/controllers/listener.py`, `db/prepare.py`, `common/validate.py`.
 */
import { parseCidr, parseIp } from '@cumulet/common/addresses/ip-address';
import { shortened } from '@cumulet/common/resources/value-type';
import type { InsertedHeader } from '../data-plane/balancer-spec.js';
import { featuresOf, isDatagram } from '../providers/providers.js';
import {
  InvalidOptionError,
  ProviderUnsupportedOptionError,
  ValidationExceptionError,
} from '../resources/octavia.errors.js';
import type { InsertHeaders, Listener } from '../tree/listener.entity.js';
import { addressesOf, type LoadBalancer } from '../tree/load-balancer.entity.js';

/** A listener as it would be, as far as the rules go. */
export type Judged = Pick<
  Listener,
  | ('protocol' | 'allowedCidrs' | 'insertHeaders' | 'clientAuthentication')
  | ('defaultTlsContainerRef' | 'sniContainerRefs')
  | ('clientCaTlsContainerRef' | 'clientCrlContainerRef')
  | ('hstsMaxAge' | 'hstsIncludeSubdomains' | 'hstsPreload')
>;

/** A load balancer, as far as they go by it. */
export type Home = Pick<
  LoadBalancer,
  'projectId' | 'provider' | 'vipAddress' | 'additionalVips' | 'vipSgIds'
>;

/**
 * @throws ProviderUnsupportedOptionError for what the load balancer's provider cannot do
 * @throws ValidationExceptionError
 * @throws InvalidOptionError for headers that its protocol does not insert
 */
export function requireSound(listener: Judged, home: Home): void {
  requireSupported(home.provider, listener.protocol);
  refuseTls(listener);
  requireInsertable(listener.protocol, listener.insertHeaders);
  requireCertificates(listener);
  refuseHsts(listener);
  refuseCidrs(listener.allowedCidrs, home);
}

/** @throws ProviderUnsupportedOptionError */
export function requireSupported(provider: string, protocol: string): void {
  if (featuresOf({ provider }).protocols.includes(protocol)) return;
  throw new ProviderUnsupportedOptionError(
    provider,
    `listeners of protocol ${protocol} are not supported.`,
  );
}

/** Whether it holds a certificate and ends TLS itself. */
export function endsTls(listener: Pick<Judged, 'protocol' | RefColumns>): boolean {
  const { protocol } = listener;
  return (
    protocol === 'TERMINATED_HTTPS' || (protocol === 'PROMETHEUS' && hasCertificates(listener))
  );
}

type RefColumns = 'defaultTlsContainerRef' | 'sniContainerRefs' | 'clientCaTlsContainerRef';

function hasKeys(listener: Pick<Judged, 'defaultTlsContainerRef' | 'sniContainerRefs'>): boolean {
  return listener.defaultTlsContainerRef !== null || listener.sniContainerRefs.length > 0;
}

function hasCertificates(listener: Pick<Judged, RefColumns>): boolean {
  return hasKeys(listener) || listener.clientCaTlsContainerRef !== null;
}

function refuseTls(listener: Judged): void {
  const { protocol, insertHeaders } = listener;
  if (!isDatagram(protocol)) return;
  if (hasCertificates(listener) || Object.keys(insertHeaders).length > 0) {
    throw new ValidationExceptionError(
      `${protocol} protocol listener does not support TLS or header insertion.`,
    );
  }
}

function requireCertificates(listener: Judged): void {
  const { protocol, clientAuthentication, clientCaTlsContainerRef: ca } = listener;
  if (!endsTls(listener) && hasCertificates(listener)) {
    throw new ValidationExceptionError(
      `Certificate container references are not allowed on ${protocol} protocol listeners.`,
    );
  }
  if (ca !== null && !hasKeys(listener)) {
    throw new ValidationExceptionError(
      'An SNI or default certificate container reference must be provided with a client CA container reference.',
    );
  }
  if (endsTls(listener) && !hasKeys(listener)) {
    throw new ValidationExceptionError(
      `An SNI or default certificate container reference must be provided for ${protocol} protocol listeners.`,
    );
  }
  if (clientAuthentication !== 'NONE' && ca === null) {
    throw new ValidationExceptionError(
      `Client authentication setting ${clientAuthentication} requires a client CA container reference.`,
    );
  }
  if (listener.clientCrlContainerRef !== null && ca === null) {
    throw new ValidationExceptionError(
      'A client authentication CA reference is required to specify a client authentication revocation list.',
    );
  }
}

function refuseHsts({ protocol, ...hsts }: Judged): void {
  const { hstsMaxAge, hstsIncludeSubdomains, hstsPreload } = hsts;
  if ((hstsIncludeSubdomains || hstsPreload) && hstsMaxAge === null) {
    throw new ValidationExceptionError(
      'HSTS configuration options hsts_include_subdomains and hsts_preload only make sense if hsts_max_age is set as well.',
    );
  }
  if (hstsMaxAge !== null && protocol !== 'TERMINATED_HTTPS') {
    throw new ValidationExceptionError(
      'The HSTS feature can only be used for listeners using the TERMINATED_HTTPS protocol.',
    );
  }
}

function refuseCidrs(cidrs: readonly string[], { vipSgIds, ...home }: Home): void {
  if (cidrs.length === 0) return;
  if (vipSgIds.length > 0) {
    throw new ValidationExceptionError(
      'Allowed CIDRs are not allowed when using custom VIP Security Groups.',
    );
  }
  const addresses = addressesOf(home);
  const vips = addresses.filter((one) => one !== null);
  // Of a load balancer that is created with it, the network service has yet to say.
  if (vips.length < addresses.length) return;
  const versions = vips.map((one) => parseIp(one)?.version);
  const odd = cidrs.find((one) => !versions.includes(parseCidr(one)?.version));
  if (odd !== undefined) {
    throw new ValidationExceptionError(
      `CIDR ${odd} IP version incompatible with all VIPs ${vips.join(', ')} IP version.`,
    );
  }
}

/**
 * Headers that a listener adds to requests, and by which protocols. Public source: Load Balancer API v2
 * reference, "Supported HTTP Header Insertions".
 */
const OF_HTTP: readonly InsertedHeader[] = [
  'X-Forwarded-For',
  'X-Forwarded-Port',
  'X-Forwarded-Proto',
];

const OF_CLIENT_CERTIFICATE: readonly InsertedHeader[] = [
  'X-SSL-Client-Verify',
  'X-SSL-Client-Has-Cert',
  'X-SSL-Client-DN',
  'X-SSL-Client-CN',
  'X-SSL-Issuer',
  'X-SSL-Client-SHA1',
  'X-SSL-Client-Not-Before',
  'X-SSL-Client-Not-After',
];

/** All that there are. */
export const INSERTED_HEADERS: readonly InsertedHeader[] = [...OF_HTTP, ...OF_CLIENT_CERTIFICATE];

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  HTTP: OF_HTTP,
  TERMINATED_HTTPS: INSERTED_HEADERS,
};

const KNOWN: readonly string[] = INSERTED_HEADERS;

/** @throws InvalidOptionError naming the headers */
function requireInsertable(protocol: string, headers: InsertHeaders): void {
  const names = Object.keys(headers);
  if (names.length === 0) return;
  const insertable = HEADERS[protocol];
  if (!insertable)
    throw new InvalidOptionError('insert-headers', `a ${protocol} protocol listener.`);
  const unknown = names.filter((name) => !KNOWN.includes(name));
  if (unknown.length > 0)
    throw new InvalidOptionError(shortened(unknown.join(', ')), 'insert_headers');
  const odd = names.filter((name) => !insertable.includes(name));
  if (odd.length > 0)
    throw new InvalidOptionError(odd.join(', '), `${protocol} protocol listener.`);
}
