/**
 * How the members of a pool are checked. Public sources: Load Balancer API v2 reference, "Create
 * Health Monitor"; HAProxy Configuration Manual, "http-check", "tcp-check", "external-check".
 */
import type { MonitorSpec, MonitorType, PoolSpec } from '../../balancer-spec.js';
import { format, line, number, word, words, type Line, type Word } from './words.js';

/** Of the monitor types that HAProxy can do: what the backend says. */
const CHECKS: Partial<Record<MonitorType, (monitor: MonitorSpec, ping: string) => Line[]>> = {
  TCP: () => [],
  // A whole handshake: what greets alone is no TLS that a client could use.
  'TLS-HELLO': () => [],
  HTTP: httpCheck,
  HTTPS: httpCheck,
  PING: (_, ping) => [line`option external-check`, line`external-check command ${word(ping)}`],
};

/** @param ping the program that exits with 0 if the address in its environment answers */
export function healthCheck(monitor: MonitorSpec | null, ping: string): Line[] {
  if (!monitor?.enabled) return [];
  const check = CHECKS[monitor.type];
  if (!check) return [];
  return [line`timeout check ${number(monitor.timeoutSeconds, 's')}`, ...check(monitor, ping)];
}

/**
 * The words of each of the pool's `server` lines. Where members are spoken to by TLS, so is what
 * they are asked by other checks.
 */
export function checkOptions({ monitor, tls }: Pick<PoolSpec, 'monitor' | 'tls'>): Word[] {
  if (!monitor?.enabled || !CHECKS[monitor.type]) return [];
  const { type, delaySeconds, rise, fall, http } = monitor;
  const isTls = type === 'HTTPS' || type === 'TLS-HELLO';
  const sni = http?.domain ?? null;
  return [
    words`check`,
    // A check asks whether the member works, not who it is, unless the pool's traffic does.
    ...(isTls ? [tls ? words`check-ssl` : words`check-ssl verify none`] : []),
    ...(isTls && sni !== null ? [words`check-sni ${word(sni)}`] : []),
    words`inter ${number(delaySeconds, 's')} fall ${number(fall)} rise ${number(rise)}`,
  ];
}

/** Whether its members are pinged. */
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
