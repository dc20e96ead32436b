/** What HAProxy does not carry: datagrams. Validation refuses it before, by the same words. */
import type { BalancerSpec } from '../balancer-spec.js';

const PROTOCOLS = new Set(['UDP', 'SCTP']);
const MONITORS = new Set(['UDP-CONNECT', 'SCTP']);

/**
 * @param canPing whether members can be pinged here
 * @returns what of it cannot run, as a sentence; undefined if all can
 */
export function unsupportedIn(
  { listeners, pools }: BalancerSpec,
  canPing: boolean,
): string | undefined {
  const listener = listeners.find(({ protocol }) => PROTOCOLS.has(protocol));
  if (listener) return sentence('Listener', listener.id, `the protocol ${listener.protocol}`);
  const pool = pools.find(({ protocol }) => PROTOCOLS.has(protocol));
  if (pool) return sentence('Pool', pool.id, `the protocol ${pool.protocol}`);
  const monitor = pools
    .flatMap((one) => one.monitor ?? [])
    .find(({ type }) => MONITORS.has(type) || (type === 'PING' && !canPing));
  return monitor && sentence('Health monitor', monitor.id, `the type ${monitor.type}`);
}

function sentence(part: string, id: string, has: string): string {
  return `${part} ${id} has ${has}, which the provider haproxy does not support.`;
}
