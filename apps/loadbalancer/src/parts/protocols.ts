/**
 * The protocols of listeners and pools, and which of them combine. Public source: Load Balancer API
 * v2 reference, "Protocol Combinations (Listener/Pool)".
 */
import type { ListenerProtocol, PoolProtocol } from '../data-plane/balancer-spec.js';
import { ValidationExceptionError, ListenerNoChildrenError } from '../resources/octavia.errors.js';

const PROXIES = ['PROXY', 'PROXYV2'] as const;

/** The protocols of pools that a listener of each protocol sends to. */
const POOLS_OF: Readonly<Record<ListenerProtocol, readonly PoolProtocol[]>> = {
  TCP: ['HTTP', 'HTTPS', 'TCP', ...PROXIES],
  HTTP: ['HTTP', ...PROXIES],
  HTTPS: ['HTTPS', 'TCP', ...PROXIES],
  TERMINATED_HTTPS: ['HTTP', ...PROXIES],
  UDP: ['UDP'],
  SCTP: ['SCTP'],
  PROMETHEUS: [],
};

/**
 * @throws ListenerNoChildrenError for a listener that sends to nobody
 * @throws ValidationExceptionError naming both
 */
export function requirePair(listener: string, pool: string): void {
  if (listener === 'PROMETHEUS') throw new ListenerNoChildrenError(listener);
  if (POOLS_OF[listener as ListenerProtocol].includes(pool as PoolProtocol)) return;
  throw new ValidationExceptionError(
    `The pool protocol '${pool}' is invalid while the listener protocol is '${listener}'.`,
  );
}
