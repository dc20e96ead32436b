/** The `frontend` of a listener. */
import type {
  BalancerSpec,
  CompareType,
  InsertedHeader,
  ListenerSpec,
  ListenerTls,
  PolicyAction,
  PolicySpec,
  RuleSpec,
  RuleType,
  TlsLimits,
  TlsVersion,
} from '../../balancer-spec.js';
import {
  condition,
  endpoint,
  fetchOf,
  format,
  line,
  type Line,
  name,
  network,
  number,
  pathOf,
  section,
  type Word,
  word,
  words,
} from './words.js';

/** The lines that insert each header, with values in HAProxy's format strings. */
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

/** The file with a listener's list of certificates. */
export function certificateListOf({ id }: ListenerSpec): string {
  return `${id}.certificates`;
}

/** Whether HAProxy parses HTTP. */
export function isHttp({ protocol }: ListenerSpec): boolean {
  return ['HTTP', 'TERMINATED_HTTPS', 'PROMETHEUS'].includes(protocol);
}

/** @param backendOf the backend of a pool for this listener; undefined if it is not in use */
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
    // The connection's variable with the client's port.
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
    // The next request on a kept-alive connection must not reach a process that is stopping.
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

const EXCLUDED: Readonly<Record<TlsVersion, Word>> = {
  SSLv3: words`no-sslv3`,
  TLSv1: words`no-tlsv10`,
  'TLSv1.1': words`no-tlsv11`,
  'TLSv1.2': words`no-tlsv12`,
  'TLSv1.3': words`no-tlsv13`,
};

/** HAProxy configures the ciphers of TLS 1.3 separately from the others. */
const isTls13Cipher = (cipher: string): boolean => cipher.startsWith('TLS_');

/** The TLS options of `bind` and `server`. */
export function tlsLimits({ ciphers, versions, alpn }: TlsLimits): Word[] {
  const named = ciphers === null ? [] : ciphers.split(':').filter((one) => one !== '');
  const older = named.filter((one) => !isTls13Cipher(one)).join(':');
  const newer = named.filter(isTls13Cipher).join(':');
  return [
    ...(older === '' ? [] : [words`ciphers ${word(older)}`]),
    ...(newer === '' ? [] : [words`ciphersuites ${word(newer)}`]),
    ...(versions.length === 0
      ? []
      : Object.entries(EXCLUDED)
          .filter(([version]) => !versions.includes(version as TlsVersion))
          .map(([, option]) => option)),
    ...(alpn.length === 0 ? [] : [words`alpn ${word(alpn.join(','))}`]),
  ];
}

const MATCHES: Readonly<Record<CompareType, Word>> = {
  REGEX: words`-m reg`,
  STARTS_WITH: words`-m beg`,
  ENDS_WITH: words`-m end`,
  CONTAINS: words`-m sub`,
  EQUAL_TO: words`-m str`,
};

/** The sample of each type of rule, and whether it is case-sensitive. */
const CONDITIONS: Readonly<Record<RuleType, (rule: RuleSpec) => Word>> = {
  // Without the port in the header.
  HOST_NAME: (rule) => words`${word('req.hdr(host),host_only')} -i ${compared(rule)}`,
  PATH: (rule) => words`path ${compared(rule)}`,
  // The path after its last dot.
  FILE_TYPE: (rule) => words`${word('path,field(-1,.)')} ${compared(withoutDot(rule))}`,
  HEADER: (rule) => words`${fetchOf('req.hdr', keyOf(rule))} ${compared(rule)}`,
  COOKIE: (rule) => words`${fetchOf('req.cook', keyOf(rule))} ${compared(rule)}`,
  SSL_CONN_HAS_CERT: () => words`ssl_c_used`,
  SSL_VERIFY_RESULT: ({ value }) => words`ssl_c_verify ${word(value)}`,
  SSL_DN_FIELD: (rule) => words`${fetchOf('ssl_c_s_dn', keyOf(rule))} ${compared(rule)}`,
};

/** The order in which HAProxy evaluates actions, and warns about any other. */
const TURNS: Readonly<Record<PolicyAction['type'], number>> = {
  REJECT: 0,
  REDIRECT_TO_URL: 1,
  REDIRECT_PREFIX: 1,
  REDIRECT_TO_POOL: 2,
};

/**
 * HAProxy evaluates denials, then redirects, then the choice of a pool, which is also the API's
 * order of actions, whatever their positions. Public sources: Load Balancer API v2 reference, "L7
 * Policies", "L7 Rules"; HAProxy Configuration Manual, "7. Using ACLs and fetching samples".
 * @param backendOf the backend of a pool for this listener; undefined if it is not in use
 */
export function policyLines(
  policies: readonly PolicySpec[],
  backendOf: (poolId: string) => Word | undefined,
): Line[] {
  return policies
    .filter(({ enabled }) => enabled)
    .sort((one, other) => TURNS[one.action.type] - TURNS[other.action.type])
    .flatMap((one) => policyOf(one, backendOf));
}

function policyOf(
  { action, rules }: PolicySpec,
  backendOf: (poolId: string) => Word | undefined,
): Line[] {
  const counting = rules.filter(({ enabled }) => enabled);
  const effect = effectOf(action, backendOf);
  if (counting.length === 0 || effect === undefined) return [];
  const conditions = counting.map(({ id, invert }) => condition(id, invert));
  return [
    ...counting.map((rule) => line`acl ${name(rule.id)} ${CONDITIONS[rule.type](rule)}`),
    line`${effect} if ${conditions}`,
  ];
}

function effectOf(
  action: PolicySpec['action'],
  backendOf: (poolId: string) => Word | undefined,
): Word | undefined {
  switch (action.type) {
    case 'REJECT':
      return words`http-request deny`;
    case 'REDIRECT_TO_URL':
      return words`redirect location ${word(action.url)} code ${number(action.code)}`;
    case 'REDIRECT_PREFIX':
      return words`redirect prefix ${word(action.url)} code ${number(action.code)}`;
    case 'REDIRECT_TO_POOL': {
      const backend = backendOf(action.poolId);
      return backend && words`use_backend ${backend}`;
    }
  }
}

/** `--` ends the options, because a value may begin with a hyphen. */
function compared({ compare, value }: RuleSpec): Word {
  return words`${MATCHES[compare]} -- ${word(value)}`;
}

/** `.jpg` becomes `jpg`, except in a regular expression. */
function withoutDot(rule: RuleSpec): RuleSpec {
  return rule.compare === 'REGEX' ? rule : { ...rule, value: rule.value.replace(/^\./, '') };
}

function keyOf({ key }: RuleSpec): string {
  return key ?? '';
}
