/**
 * Which configuration a HAProxy runs by, in a few characters: what it says of itself, so that
 * nobody has to remember it. Two load balancers have the same one if commands on the admin socket
 * alone get a process from one to the other (`runtime/member-commands.ts`).
 */
import { createHash } from 'node:crypto';
import type { BalancerSpec } from '../../balancer-spec.js';
import { render, type ProxyHost } from './render.js';

export function fingerprintOf(spec: BalancerSpec, host: ProxyHost): string {
  const hash = createHash('sha256');
  for (const [name, text] of render(settled(spec), host, '')) hash.update(`${name}\0${text}\0`);
  return hash.digest('hex').slice(0, 32);
}

/** Without what commands can change. */
function settled(spec: BalancerSpec): BalancerSpec {
  const pools = spec.pools.map((pool) => ({
    ...pool,
    members: pool.members.map((member) => ({
      ...member,
      address: '0.0.0.0',
      port: 0,
      weight: 1,
      enabled: true,
    })),
  }));
  return { ...spec, pools };
}
