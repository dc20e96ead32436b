/** The `backend` of a pool for one listener, whose timeouts it has. */
import { createHash } from 'node:crypto';
import type {
  Algorithm,
  ListenerSpec,
  MemberSpec,
  MonitorSpec,
  MonitorType,
  PoolSpec,
  PoolTls,
  SessionPersistence,
} from '../../balancer-spec.js';
import { isHttp, tlsLimits } from './frontend.js';
import {
  endpoint,
  fetchOf,
  format,
  host,
  line,
  type Line,
  name,
  number,
  pathOf,
  section,
  word,
  type Word,
  words,
} from './words.js';

// A consistent hash moves the fewest clients when members come and go, and follows changes of weights.
const BALANCE: Readonly<Record<Algorithm, readonly Line[]>> = {
  ROUND_ROBIN: [line`balance roundrobin`],
  LEAST_CONNECTIONS: [line`balance leastconn`],
  SOURCE_IP: [line`balance source`, line`hash-type consistent`],
  SOURCE_IP_PORT: [line`balance hash src,concat(:,sess.source_port)`, line`hash-type consistent`],
};

/** Clients in a pool's stick table. */
const TABLE_SIZE = words`10k`;
/** The peers section by which a process hands its stick tables to its successor. */
export const PEERS = 'reloads';

export function backendName(pool: Pick<PoolSpec, 'id'>, listener: Pick<ListenerSpec, 'id'>): Word {
  return name(pool.id, listener.id);
}

/** @param ping as for `healthCheck` */
export function backend(pool: PoolSpec, listener: ListenerSpec, ping: string): Line[] {
  const http = isHttp(listener);
  const { memberConnect, memberData } = listener.timeouts;
  return [
    section`backend ${backendName(pool, listener)}`,
    http ? line`mode http` : line`mode tcp`,
    ...BALANCE[pool.algorithm],
    line`timeout connect ${number(memberConnect, 'ms')}`,
    line`timeout server ${number(memberData, 'ms')}`,
    ...(http || pool.persistence?.type === 'SOURCE_IP' ? persistence(pool.persistence) : []),
    ...healthCheck(pool.monitor, ping),
    ...withNumbers(pool.members).map(([member, id]) => server(pool, member, id, listener)),
  ];
}

/** Whether it has a stick table. */
export function hasStickTable({ persistence: of }: Pick<PoolSpec, 'persistence'>): boolean {
  return of?.type === 'SOURCE_IP' || of?.type === 'APP_COOKIE';
}

function persistence(of: SessionPersistence | null): Line[] {
  switch (of?.type) {
    case 'SOURCE_IP':
      return [
        line`stick-table type ipv6 size ${TABLE_SIZE} peers ${name(PEERS)}`,
        line`stick on src`,
      ];
    case 'HTTP_COOKIE':
      return [line`cookie SRV insert indirect nocache`];
    case 'APP_COOKIE':
      return [
        line`stick-table type string len 64 size ${TABLE_SIZE} peers ${name(PEERS)}`,
        line`stick store-response ${fetchOf('res.cook', of.cookie)}`,
        line`stick match ${fetchOf('req.cook', of.cookie)}`,
      ];
    default:
      return [];
  }
}

const PROXY_PROTOCOL: Partial<Record<PoolSpec['protocol'], Word>> = {
  PROXY: words`send-proxy`,
  PROXYV2: words`send-proxy-v2`,
};

function server(
  pool: PoolSpec,
  member: MemberSpec,
  numericId: number,
  listener: ListenerSpec,
): Line {
  const { id, address, port, weight, monitorAddress, monitorPort } = member;
  const check = checkOptions(pool);
  const isChecked = check.length > 0;
  const options: (Word | undefined)[] = [
    ...check,
    isChecked && monitorAddress !== null ? words`addr ${host(monitorAddress)}` : undefined,
    isChecked && monitorPort !== null ? words`port ${number(monitorPort)}` : undefined,
    pool.persistence?.type === 'HTTP_COOKIE' ? words`cookie ${name(id)}` : undefined,
    PROXY_PROTOCOL[pool.protocol],
    member.backup ? words`backup` : undefined,
    member.enabled ? undefined : words`disabled`,
    ...(pool.tls ? memberTls(pool.tls, listener) : []),
  ];
  const known = options.filter((one) => one !== undefined);
  const [at, own] = [endpoint(address, port), number(numericId)];
  return line`server ${name(id)} ${at} id ${own} weight ${number(weight)} ${known}`;
}

function memberTls(tls: PoolTls, listener: ListenerSpec): Word[] {
  const { bundle, ca, revocations } = tls;
  const sni = listener.protocol === 'TERMINATED_HTTPS' ? 'ssl_fc_sni' : 'req.hdr(host),host_only';
  return [
    words`ssl`,
    ...(bundle ? [words`crt ${pathOf(bundle.name)}`] : []),
    ca ? words`ca-file ${pathOf(ca.name)} verify required` : words`verify none`,
    ...(revocations ? [words`crl-file ${pathOf(revocations.name)}`] : []),
    ...(isHttp(listener) ? [words`sni ${word(sni)}`] : []),
    ...tlsLimits(tls),
  ];
}

/** HAProxy's server IDs are positive 31-bit integers. */
const LARGEST = 2 ** 31 - 1;

/**
 * Assigns HAProxy's server IDs. An ID depends only on the member's own, except for collisions within a
 * pool: stick tables and consistent hashes use it, and must survive changes of other members.
 */
function withNumbers(members: readonly MemberSpec[]): [MemberSpec, number][] {
  const taken = new Set<number>();
  return members.map((member) => {
    let number = numberOf(member.id);
    while (taken.has(number)) number = (number % LARGEST) + 1;
    taken.add(number);
    return [member, number];
  });
}

function numberOf(id: string): number {
  return (createHash('sha256').update(id).digest().readUInt32BE() % LARGEST) + 1;
}

/**
 * The health checks of the monitor types that HAProxy supports.
 * Public sources: Load Balancer API v2 reference, "Create Health Monitor"; HAProxy Configuration
 * Manual, "http-check", "tcp-check", "external-check".
 */
const CHECKS: Partial<Record<MonitorType, (monitor: MonitorSpec, ping: string) => Line[]>> = {
  TCP: () => [],
  // A complete handshake: a hello alone does not prove that clients can use TLS.
  'TLS-HELLO': () => [],
  HTTP: httpCheck,
  HTTPS: httpCheck,
  PING: (_, ping) => [line`option external-check`, line`external-check command ${word(ping)}`],
};

/** @param ping exits with 0 if the address in its environment answers */
function healthCheck(monitor: MonitorSpec | null, ping: string): Line[] {
  if (!monitor?.enabled) return [];
  const check = CHECKS[monitor.type];
  if (!check) return [];
  return [line`timeout check ${number(monitor.timeoutSeconds, 's')}`, ...check(monitor, ping)];
}

/** Options of the pool's `server` lines. If members use TLS, so do the other types of checks. */
function checkOptions({ monitor, tls }: Pick<PoolSpec, 'monitor' | 'tls'>): Word[] {
  if (!monitor?.enabled || !CHECKS[monitor.type]) return [];
  const { type, delaySeconds, rise, fall, http } = monitor;
  const isTls = type === 'HTTPS' || type === 'TLS-HELLO';
  const sni = http?.domain ?? null;
  return [
    words`check`,
    // A check does not verify the member's certificate unless traffic does.
    ...(isTls ? [tls ? words`check-ssl` : words`check-ssl verify none`] : []),
    ...(isTls && sni !== null ? [words`check-sni ${word(sni)}`] : []),
    words`inter ${number(delaySeconds, 's')} fall ${number(fall)} rise ${number(rise)}`,
  ];
}

export function isPinged({ monitor }: Pick<PoolSpec, 'monitor'>): boolean {
  return monitor?.enabled === true && monitor.type === 'PING';
}

function httpCheck({ http }: MonitorSpec): Line[] {
  if (http === null) return [];
  const { method, path, version, domain, expectedCodes } = http;
  const of = version === 1.1 ? words`HTTP/1.1` : words`HTTP/1.0`;
  const to = domain === null ? undefined : words`hdr Host ${format(domain)}`;
  return [
    line`option httpchk`,
    line`http-check send meth ${word(method)} uri ${word(path)} ver ${of} ${to}`,
    line`http-check expect status ${word(expectedCodes.replaceAll(/\s/g, ''))}`,
  ];
}
