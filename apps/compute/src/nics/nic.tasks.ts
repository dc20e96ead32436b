import type { Nic } from './nic.entity.js';

/** Work on cards that needs no host. */
export const NIC_TASK = 'server_nic';

/** Work on cards of a host's guests, which only that host's worker takes. */
export function nicTaskOfHost(host: string): string {
  return `${NIC_TASK}@${host}`;
}

export function taskOfNic({ state, host }: Pick<Nic, 'state' | 'host'>): string {
  return state === 'refreshing' || host === null ? NIC_TASK : nicTaskOfHost(host);
}
