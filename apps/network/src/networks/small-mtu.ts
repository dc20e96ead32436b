import type { Network } from './network.entity.js';
import { NetworkMTUSubnetConflictError } from './network.errors.js';

/** Bytes of a packet that every link of the version carries. Public source: RFC 791; RFC 8200. */
const MIN_MTU = { 4: 68, 6: 1280 } as const;

/** @param versions of IP, of the subnets that the network has or is to have */
export function refuseSmallMtu(
  { id, mtu }: Pick<Network, 'id' | 'mtu'>,
  versions: readonly (4 | 6)[],
): void {
  const minimum = Math.max(0, ...versions.map((version) => MIN_MTU[version]));
  if (mtu < minimum) throw new NetworkMTUSubnetConflictError(id, minimum);
}
