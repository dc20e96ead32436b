/**
 * Addresses and routes of a port in a network namespace of its own, as what `ip -batch` is told.
 * Everything leaves by the gateway of the first subnet of its version, but for answers from an
 * address of another subnet, which leave by the gateway of that. Pure.
 */
import { formatCidr, parseCidr } from '@cumulet/common/addresses/ip-address';
import { NAMESPACE_DEVICE } from '../../../data-plane.js';
import type { PlacedAddress } from '../../rows/northbound.js';

/** Of the rules by which answers leave; the first routing table has the same number. */
export const FIRST_RULE = 1000;
export const LAST_RULE = 1099;

export interface Routing {
  /** With their prefixes. */
  readonly addresses: readonly string[];
  /** As words of `ip`, for the main table and those of rules. */
  readonly routes: readonly string[];
  readonly rules: readonly string[];
}

export function routingOf(addresses: readonly PlacedAddress[]): Routing {
  const led = new Set<boolean>();
  const routing = { addresses: [] as string[], routes: [] as string[], rules: [] as string[] };
  const on = `dev ${NAMESPACE_DEVICE} proto static`;
  for (const [index, { address, cidr, gatewayIp, hostRoutes }] of addresses.entries()) {
    const isV6 = address.includes(':');
    const family = isV6 ? '-6' : '-4';
    routing.addresses.push(`${address}/${cidr.split('/')[1] ?? ''}`);
    for (const { destination, nexthop } of hostRoutes)
      routing.routes.push(`${family} route replace ${destination} via ${nexthop} ${on} onlink`);
    if (gatewayIp === null) continue;
    const out = `${family} route replace default via ${gatewayIp} ${on} onlink`;
    if (!led.has(isV6)) {
      led.add(isV6);
      routing.routes.push(out);
      continue;
    }
    const number = FIRST_RULE + index;
    routing.routes.push(
      `${family} route replace ${networkOf(cidr)} ${on} table ${number}`,
      `${out} table ${number}`,
    );
    routing.rules.push(`${family} rule add from ${address} lookup ${number} pref ${number}`);
  }
  return routing;
}

function networkOf(text: string): string {
  const cidr = parseCidr(text);
  return cidr ? formatCidr(cidr) : text;
}
