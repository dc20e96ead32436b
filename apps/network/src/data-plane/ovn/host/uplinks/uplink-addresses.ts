/**
 * The machine's own addresses on physical networks, by the networks' names, and whether it can have
 * them. IPv4 alone: so are floating IPs.
 */
import { cidrAround, overlap, parseCidr, parseIp } from '@cumulet/common/addresses/ip-address';
import type { Cidr } from '@cumulet/common/addresses/ip-address';

/** `172.24.4.1/24` by `public`. */
export type UplinkAddresses = ReadonlyMap<string, string>;

/** As `ip -json route` prints it, as far as it is needed here. */
export interface Route {
  /** A CIDR, a single address or `default`. */
  readonly dst: string;
  /** Absent where packets are dropped. */
  readonly dev?: string;
}

/**
 * @param text `public=172.24.4.1/24`, by commas
 * @returns undefined if it is none
 */
export function parseUplinkAddresses(text: string): UplinkAddresses | undefined {
  const pairs = text.split(',').map((one) => one.trim().split('='));
  const areWhole = pairs.every(
    ([name, address = '', ...rest]) => name !== '' && rest.length === 0 && networkAround(address),
  );
  const addresses = new Map(pairs.map(([name = '', address = '']) => [name, address]));
  return areWhole && addresses.size === pairs.length ? addresses : undefined;
}

/** Whether it is the address of one host in a network of several: `192.0.2.1/24`. */
export function isInterfaceAddress(text: string): boolean {
  return networkAround(text) !== undefined;
}

/**
 * What the machine already sends elsewhere: with the address, it would no longer arrive there.
 * @param address with its prefix
 */
export function clashOf(address: string, routes: readonly Route[]): Route | undefined {
  const network = networkAround(address);
  return routes.find(({ dst }) => {
    const cidr = parseCidr(dst.includes('/') ? dst : `${dst}/32`);
    // The default route leads there last of all; VPNs write it as two halves.
    return network && cidr && cidr.prefix > 1 && overlap(network, cidr);
  });
}

/** @returns undefined unless it is the address of one host in a network of several */
function networkAround(address: string): Cidr | undefined {
  const [host = '', bits = '', ...rest] = address.split('/');
  const ip = parseIp(host);
  if (ip?.version !== 4 || rest.length > 0 || !/^([1-9]|[12]\d|30)$/.test(bits)) return undefined;
  const cidr = cidrAround(ip, Number(bits));
  return cidr.first < ip.value && ip.value < cidr.last ? cidr : undefined;
}
