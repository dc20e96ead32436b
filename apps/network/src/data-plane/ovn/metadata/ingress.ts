import type { Ingress } from './guest-door.js';

/** @returns undefined for a text that is no `host:port` */
export function parseIngress(text: string): Ingress | undefined {
  const [, host, bracketed, port] =
    /^(?:([^\s:[\]/]+)|\[([\da-f:]+)\]):(\d{1,5})$/i.exec(text) ?? [];
  const number = Number(port);
  if (port === undefined || number < 1 || number > 65_535) return undefined;
  return { host: host ?? bracketed ?? '', port: number };
}
