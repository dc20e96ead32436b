/** A listener as HAProxy's `frontend`. */
import type {
  BalancerSpec,
  InsertedHeader,
  ListenerSpec,
  ListenerTls,
} from '../../data-plane/balancer-spec.js';
import { policyLines } from './policies.js';
import { tlsLimits } from './tls-options.js';
import { endpoint, line, pathOf, word } from './words.js';

/** The value of each header that a listener can insert, as HAProxy's format strings. */
const HEADERS: Readonly<Record<Exclude<InsertedHeader, 'X-Forwarded-For'>, string>> = {
  'X-Forwarded-Port': '%[dst_port]',
  'X-Forwarded-Proto': '%[ssl_fc,iif(https,http)]',
  'X-SSL-Client-Verify': '%[ssl_c_verify]',
  'X-SSL-Client-Has-Cert': '%[ssl_c_used]',
  'X-SSL-Client-DN': '%{+Q}[ssl_c_s_dn]',
  'X-SSL-Client-CN': '%{+Q}[ssl_c_s_dn(CN)]',
  'X-SSL-Issuer': '%{+Q}[ssl_c_i_dn]',
  'X-SSL-Client-SHA1': '%{+Q}[ssl_c_sha1,hex]',
  'X-SSL-Client-Not-Before': '%{+Q}[ssl_c_notbefore]',
  'X-SSL-Client-Not-After': '%{+Q}[ssl_c_notafter]',
};

/** The variable in which a connection keeps the port of its client. */
export const SOURCE_PORT = 'sess.source_port';

/** The list of a listener's certificates, in the load balancer's folder. */
export function certificateListOf({ id }: ListenerSpec): string {
  return `${id}.certificates`;
}

/** Whether HAProxy reads requests, rather than bytes. */
export function isHttp({ protocol }: ListenerSpec): boolean {
  return ['HTTP', 'TERMINATED_HTTPS', 'PROMETHEUS'].includes(protocol);
}

/** @param backendOf the backend of a pool, for this listener; undefined if it is not in use */
export function frontend(
  { addresses }: BalancerSpec,
  listener: ListenerSpec,
  backendOf: (poolId: string) => string | undefined,
): string[] {
  const { id, port, connectionLimit, timeouts, allowedCidrs, defaultPoolId, tls } = listener;
  const pool = defaultPoolId === null ? undefined : backendOf(defaultPoolId);
  const options = tls ? bindOptions(listener, tls) : [];
  return [
    `frontend ${id}`,
    line('mode', isHttp(listener) ? 'http' : 'tcp'),
    ...(connectionLimit === null ? [] : [line('maxconn', String(connectionLimit))]),
    ...addresses.map((address) => line('bind', endpoint(address, port), ...options)),
    line('timeout client', `${timeouts.clientData}ms`),
    ...(allowedCidrs.length === 0
      ? []
      : [line('tcp-request connection reject unless { src', ...allowedCidrs.map(word), '}')]),
    line(`tcp-request connection set-var(${SOURCE_PORT}) src_port`),
    ...(timeouts.tcpInspect === 0
      ? []
      : [line('tcp-request inspect-delay', `${timeouts.tcpInspect}ms`)]),
    ...(isHttp(listener) ? httpLines(listener, backendOf) : []),
    ...(pool === undefined ? [] : [line('default_backend', pool)]),
  ];
}

function httpLines(
  listener: ListenerSpec,
  backendOf: (poolId: string) => string | undefined,
): string[] {
  const { protocol, insertHeaders, policies, tls } = listener;
  if (protocol === 'PROMETHEUS')
    return [line('http-request use-service prometheus-exporter if { path /metrics }')];
  return [
    // A client's next request on a kept connection must not meet a process that is leaving.
    line('option idle-close-on-response'),
    ...insertHeaders.map((header) =>
      header === 'X-Forwarded-For'
        ? line('option forwardfor')
        : line('http-request set-header', header, HEADERS[header]),
    ),
    ...(tls?.hsts ? [strictTransport(tls.hsts)] : []),
    ...policyLines(policies, backendOf),
  ];
}

function bindOptions(listener: ListenerSpec, tls: ListenerTls): string[] {
  const { client } = tls;
  const verify = { OPTIONAL: 'optional', MANDATORY: 'required' } as const;
  return [
    'ssl',
    'crt-list',
    pathOf(certificateListOf(listener)),
    ...(client ? ['ca-file', pathOf(client.ca.name), 'verify', verify[client.authentication]] : []),
    ...(client?.revocations ? ['crl-file', pathOf(client.revocations.name)] : []),
    ...tlsLimits(tls),
  ];
}

function strictTransport({
  maxAgeSeconds,
  includeSubdomains,
  preload,
}: NonNullable<ListenerTls['hsts']>): string {
  const directives = [
    `max-age=${maxAgeSeconds}`,
    ...(includeSubdomains ? ['includeSubDomains'] : []),
    ...(preload ? ['preload'] : []),
  ];
  return line('http-response set-header Strict-Transport-Security', word(directives.join('; ')));
}
