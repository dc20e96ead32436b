/**
 * Addresses and routes of a port in its own network namespace, as commands of `ip -batch`. Traffic
 * leaves by the gateway of the first subnet of its IP version, except replies from an address of
 * another subnet, which leave by that subnet's gateway. Pure.
 */
import { NAMESPACE_DEVICE } from '../../../data-plane.js';
import type { PlacedAddress } from '../../rows/northbound.js';
import {
  addressWord,
  destinationWord,
  deviceWord,
  FAMILIES,
  ip,
  placedAddressWord,
  type IpCommand,
} from '../ip-commands.js';

/** Priority of the first rule for replies; routing tables have the same numbers. */
export const FIRST_RULE = 1000;
export const LAST_RULE = 1099;

export interface Routing {
  readonly addresses: readonly ReturnType<typeof placedAddressWord>[];
  /** Of the main table and of those that rules select. */
  readonly routes: readonly IpCommand[];
  readonly rules: readonly IpCommand[];
}

const DEVICE = deviceWord(NAMESPACE_DEVICE);

export function routingOf(addresses: readonly PlacedAddress[]): Routing {
  const led = new Set<boolean>();
  const own: Routing['addresses'][number][] = [];
  const [routes, rules]: [IpCommand[], IpCommand[]] = [[], []];
  for (const [index, { address, cidr, gatewayIp, hostRoutes }] of addresses.entries()) {
    const isV6 = address.includes(':');
    const family = FAMILIES[isV6 ? 6 : 4];
    own.push(placedAddressWord(address, cidr));
    for (const { destination, nexthop } of hostRoutes) {
      const [to, via] = [destinationWord(destination), addressWord(nexthop)];
      routes.push(ip`${family} route replace ${to} via ${via} dev ${DEVICE} proto static onlink`);
    }
    if (gatewayIp === null) continue;
    const via = addressWord(gatewayIp);
    if (!led.has(isV6)) {
      led.add(isV6);
      routes.push(ip`${family} route replace default via ${via} dev ${DEVICE} proto static onlink`);
      continue;
    }
    const number = FIRST_RULE + index;
    const [to, from] = [destinationWord(cidr), addressWord(address)];
    routes.push(
      ip`${family} route replace ${to} dev ${DEVICE} proto static table ${number}`,
      ip`${family} route replace default via ${via} dev ${DEVICE} proto static onlink table ${number}`,
    );
    rules.push(ip`${family} rule add from ${from} lookup ${number} pref ${number}`);
  }
  return { addresses: own, routes, rules };
}
