/** A pool, as one listener uses it, as HAProxy's `backend`: its timeouts are the listener's. */
import type {
  Algorithm,
  ListenerSpec,
  MemberSpec,
  PoolSpec,
  PoolTls,
  SessionPersistence,
} from '../../data-plane/balancer-spec.js';
import { isHttp, SOURCE_PORT } from './frontend.js';
import { checkOptions, healthCheck } from './health-check.js';
import { withNumbers } from './member-numbers.js';
import { tlsLimits } from './tls-options.js';
import { endpoint, fetchOf, host, line, pathOf, word } from './words.js';

// A hash that is consistent sends the fewest clients elsewhere when members come and go, and heeds
// weights that change.
const BALANCE: Readonly<Record<Algorithm, readonly string[]>> = {
  ROUND_ROBIN: ['balance roundrobin'],
  LEAST_CONNECTIONS: ['balance leastconn'],
  SOURCE_IP: ['balance source', 'hash-type consistent'],
  SOURCE_IP_PORT: [`balance hash src,concat(:,${SOURCE_PORT})`, 'hash-type consistent'],
};

/** How many clients a pool remembers. */
const REMEMBERED = '10k';
/** To whom each process tells what it remembers: its successor. */
export const PEERS = 'reloads';

export function backendName(
  pool: Pick<PoolSpec, 'id'>,
  listener: Pick<ListenerSpec, 'id'>,
): string {
  return `${pool.id}:${listener.id}`;
}

/** @param ping as of `healthCheck` */
export function backend(pool: PoolSpec, listener: ListenerSpec, ping: string): string[] {
  const http = isHttp(listener);
  const { memberConnect, memberData } = listener.timeouts;
  return [
    `backend ${backendName(pool, listener)}`,
    line('mode', http ? 'http' : 'tcp'),
    ...BALANCE[pool.algorithm].map((one) => line(one)),
    line('timeout connect', `${memberConnect}ms`),
    line('timeout server', `${memberData}ms`),
    ...(http || pool.persistence?.type === 'SOURCE_IP' ? persistence(pool.persistence) : []),
    ...healthCheck(pool.monitor, ping),
    ...withNumbers(pool.members).map(([member, number]) => server(pool, member, number, listener)),
  ];
}

/** Whether it keeps clients' members in a table. */
export function isRemembering({ persistence: of }: Pick<PoolSpec, 'persistence'>): boolean {
  return of?.type === 'SOURCE_IP' || of?.type === 'APP_COOKIE';
}

function persistence(of: SessionPersistence | null): string[] {
  switch (of?.type) {
    case 'SOURCE_IP':
      return [
        line(`stick-table type ipv6 size ${REMEMBERED} peers ${PEERS}`),
        line('stick on src'),
      ];
    case 'HTTP_COOKIE':
      return [line('cookie SRV insert indirect nocache')];
    case 'APP_COOKIE':
      return [
        line(`stick-table type string len 64 size ${REMEMBERED} peers ${PEERS}`),
        line('stick store-response', fetchOf('res.cook', of.cookie)),
        line('stick match', fetchOf('req.cook', of.cookie)),
      ];
    default:
      return [];
  }
}

const PROXY_PROTOCOL: Partial<Record<PoolSpec['protocol'], string>> = {
  PROXY: 'send-proxy',
  PROXYV2: 'send-proxy-v2',
};

function server(
  pool: PoolSpec,
  member: MemberSpec,
  number: number,
  listener: ListenerSpec,
): string {
  const { id, address, port, weight, monitorAddress, monitorPort } = member;
  const check = checkOptions(pool);
  return line(
    'server',
    id,
    endpoint(address, port),
    'id',
    String(number),
    'weight',
    String(weight),
    ...check,
    ...(check.length > 0 && monitorAddress !== null ? ['addr', host(monitorAddress)] : []),
    ...(check.length > 0 && monitorPort !== null ? ['port', String(monitorPort)] : []),
    pool.persistence?.type === 'HTTP_COOKIE' && `cookie ${id}`,
    PROXY_PROTOCOL[pool.protocol],
    member.backup && 'backup',
    !member.enabled && 'disabled',
    ...(pool.tls ? memberTls(pool.tls, listener) : []),
  );
}

function memberTls(tls: PoolTls, listener: ListenerSpec): string[] {
  const { bundle, ca, revocations } = tls;
  const sni = listener.protocol === 'TERMINATED_HTTPS' ? 'ssl_fc_sni' : 'req.hdr(host),host_only';
  return [
    'ssl',
    ...(bundle ? ['crt', pathOf(bundle.name)] : []),
    ...(ca ? ['ca-file', pathOf(ca.name), 'verify', 'required'] : ['verify', 'none']),
    ...(revocations ? ['crl-file', pathOf(revocations.name)] : []),
    ...(isHttp(listener) ? ['sni', word(sni)] : []),
    ...tlsLimits(tls),
  ];
}
