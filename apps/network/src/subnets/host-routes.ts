import { canonicalAddress } from '../addresses/address-types.js';
import type { HostRoute } from './subnet.entity.js';

/** What a route that clients have written means. Pure. */
export function canonicalRoute({ destination, nexthop }: HostRoute): HostRoute {
  return { destination: canonicalAddress(destination), nexthop };
}
