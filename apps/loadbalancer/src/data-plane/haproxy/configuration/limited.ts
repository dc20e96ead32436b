import type { BalancerSpec } from '../../balancer-spec.js';

interface Limits {
  readonly maxConnections: number;
  readonly threads: number;
}

/** A host as a load balancer has it whose flavor limits it: with no more connections than it allows. */
export function limited<Host extends Limits>(host: Host, { limits }: BalancerSpec): Host {
  const { connections = host.maxConnections, threads = host.threads } = limits ?? {};
  return { ...host, maxConnections: Math.min(connections, host.maxConnections), threads };
}
