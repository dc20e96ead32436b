/** A listener as HAProxy's `frontend`. */
import type {
  BalancerSpec,
  InsertedHeader,
  ListenerSpec,
  ListenerTls,
} from '../../balancer-spec.js';
import { policyLines } from './policies.js';
import { tlsLimits } from './tls-options.js';
import {
  endpoint,
  format,
  line,
  name,
  network,
  number,
  pathOf,
  section,
  words,
  type Line,
  type Word,
} from './words.js';

/** How each header that a listener can insert is, its value by HAProxy's format strings. */
const HEADERS: Readonly<Record<InsertedHeader, Line>> = {
  'X-Forwarded-For': line`option forwardfor`,
  'X-Forwarded-Port': line`http-request set-header X-Forwarded-Port %[dst_port]`,
  'X-Forwarded-Proto': line`http-request set-header X-Forwarded-Proto %[ssl_fc,iif(https,http)]`,
  'X-SSL-Client-Verify': line`http-request set-header X-SSL-Client-Verify %[ssl_c_verify]`,
  'X-SSL-Client-Has-Cert': line`http-request set-header X-SSL-Client-Has-Cert %[ssl_c_used]`,
  'X-SSL-Client-DN': line`http-request set-header X-SSL-Client-DN %{+Q}[ssl_c_s_dn]`,
  'X-SSL-Client-CN': line`http-request set-header X-SSL-Client-CN %{+Q}[ssl_c_s_dn(CN)]`,
  'X-SSL-Issuer': line`http-request set-header X-SSL-Issuer %{+Q}[ssl_c_i_dn]`,
  'X-SSL-Client-SHA1': line`http-request set-header X-SSL-Client-SHA1 %{+Q}[ssl_c_sha1,hex]`,
  'X-SSL-Client-Not-Before': line`http-request set-header X-SSL-Client-Not-Before %{+Q}[ssl_c_notbefore]`,
  'X-SSL-Client-Not-After': line`http-request set-header X-SSL-Client-Not-After %{+Q}[ssl_c_notafter]`,
};

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
  backendOf: (poolId: string) => Word | undefined,
): Line[] {
  const { id, port, connectionLimit, timeouts, allowedCidrs, defaultPoolId, tls } = listener;
  const pool = defaultPoolId === null ? undefined : backendOf(defaultPoolId);
  const options = tls ? bindOptions(listener, tls) : [];
  const { clientData, tcpInspect } = timeouts;
  const allowed = allowedCidrs.map(network);
  return [
    section`frontend ${name(id)}`,
    isHttp(listener) ? line`mode http` : line`mode tcp`,
    ...(connectionLimit === null ? [] : [line`maxconn ${number(connectionLimit)}`]),
    ...addresses.map((address) => line`bind ${endpoint(address, port)} ${options}`),
    line`timeout client ${number(clientData, 'ms')}`,
    ...(allowed.length === 0
      ? []
      : [line`tcp-request connection reject unless { src ${allowed} }`]),
    // In which a connection keeps the port of its client.
    line`tcp-request connection set-var(sess.source_port) src_port`,
    ...(tcpInspect === 0 ? [] : [line`tcp-request inspect-delay ${number(tcpInspect, 'ms')}`]),
    ...(isHttp(listener) ? httpLines(listener, backendOf) : []),
    ...(pool === undefined ? [] : [line`default_backend ${pool}`]),
  ];
}

function httpLines(
  listener: ListenerSpec,
  backendOf: (poolId: string) => Word | undefined,
): Line[] {
  const { protocol, insertHeaders, policies, tls } = listener;
  if (protocol === 'PROMETHEUS')
    return [line`http-request use-service prometheus-exporter if { path /metrics }`];
  return [
    // A client's next request on a kept connection must not meet a process that is leaving.
    line`option idle-close-on-response`,
    ...insertHeaders.map((header) => HEADERS[header]),
    ...(tls?.hsts ? [strictTransport(tls.hsts)] : []),
    ...policyLines(policies, backendOf),
  ];
}

function bindOptions(listener: ListenerSpec, tls: ListenerTls): Word[] {
  const { client } = tls;
  const verify = { OPTIONAL: words`verify optional`, MANDATORY: words`verify required` };
  return [
    words`ssl crt-list ${pathOf(certificateListOf(listener))}`,
    ...(client ? [words`ca-file ${pathOf(client.ca.name)} ${verify[client.authentication]}`] : []),
    ...(client?.revocations ? [words`crl-file ${pathOf(client.revocations.name)}`] : []),
    ...tlsLimits(tls),
  ];
}

function strictTransport({
  maxAgeSeconds,
  includeSubdomains,
  preload,
}: NonNullable<ListenerTls['hsts']>): Line {
  const directives = [
    `max-age=${maxAgeSeconds}`,
    ...(includeSubdomains ? ['includeSubDomains'] : []),
    ...(preload ? ['preload'] : []),
  ];
  return line`http-response set-header Strict-Transport-Security ${format(directives.join('; '))}`;
}
