/** A pool, as one listener uses it, as HAProxy's `backend`: its timeouts are the listener's. */
import type {
  Algorithm,
  ListenerSpec,
  MemberSpec,
  PoolSpec,
  PoolTls,
  SessionPersistence,
} from '../../balancer-spec.js';
import { isHttp } from './frontend.js';
import { checkOptions, healthCheck } from './health-check.js';
import { withNumbers } from './member-numbers.js';
import { tlsLimits } from './tls-options.js';
import {
  endpoint,
  fetchOf,
  host,
  line,
  name,
  number,
  pathOf,
  section,
  word,
  words,
  type Line,
  type Word,
} from './words.js';

// A hash that is consistent sends the fewest clients elsewhere when members come and go, and heeds
// weights that change.
const BALANCE: Readonly<Record<Algorithm, readonly Line[]>> = {
  ROUND_ROBIN: [line`balance roundrobin`],
  LEAST_CONNECTIONS: [line`balance leastconn`],
  SOURCE_IP: [line`balance source`, line`hash-type consistent`],
  SOURCE_IP_PORT: [line`balance hash src,concat(:,sess.source_port)`, line`hash-type consistent`],
};

/** How many clients a pool remembers. */
const REMEMBERED = words`10k`;
/** To whom each process tells what it remembers: its successor. */
export const PEERS = 'reloads';

export function backendName(pool: Pick<PoolSpec, 'id'>, listener: Pick<ListenerSpec, 'id'>): Word {
  return name(pool.id, listener.id);
}

/** @param ping as of `healthCheck` */
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

/** Whether it keeps clients' members in a table. */
export function isRemembering({ persistence: of }: Pick<PoolSpec, 'persistence'>): boolean {
  return of?.type === 'SOURCE_IP' || of?.type === 'APP_COOKIE';
}

function persistence(of: SessionPersistence | null): Line[] {
  switch (of?.type) {
    case 'SOURCE_IP':
      return [
        line`stick-table type ipv6 size ${REMEMBERED} peers ${name(PEERS)}`,
        line`stick on src`,
      ];
    case 'HTTP_COOKIE':
      return [line`cookie SRV insert indirect nocache`];
    case 'APP_COOKIE':
      return [
        line`stick-table type string len 64 size ${REMEMBERED} peers ${name(PEERS)}`,
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
