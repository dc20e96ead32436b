/**
 * What settings say of physical networks: the machine's own addresses there, conflicts of these with
 * its routes, and devices of the machine.
 * IPv4 only, as for floating IPs.
 */
import { cidrAround, overlap, parseCidr, parseIp } from '@cumulet/common/addresses/ip-address';
import type { Cidr } from '@cumulet/common/addresses/ip-address';

/** Addresses such as `172.24.4.1/24` by network name. */
export type UplinkAddresses = ReadonlyMap<string, string>;

export interface Route {
  /** A CIDR, a single address or `default`. */
  readonly dst: string;
  /** Absent for routes that drop packets. */
  readonly dev?: string;
}

/** @param text such as `public=172.24.4.1/24`, by commas @returns undefined if it is malformed */
export function parseUplinkAddresses(text: string): UplinkAddresses | undefined {
  return byNetwork(text, isInterfaceAddress);
}

/** Devices by physical network: a name, or the IPv4 CIDR of the network that it has an address of. */
export type PhysicalDevices = ReadonlyMap<string, string>;

/** @param text such as `public=eth1,other=192.0.2.0/24` @returns undefined if it is malformed */
export function parsePhysicalDevices(text: string): PhysicalDevices | undefined {
  return byNetwork(text, isDeviceOrCidr);
}

function isDeviceOrCidr(text: string): boolean {
  return text.includes('/')
    ? parseCidr(text)?.version === 4
    : /^[A-Za-z0-9][\w.-]{0,14}$/.test(text);
}

/** `name=value`, by commas; each network once. */
function byNetwork(
  text: string,
  isValue: (value: string) => boolean,
): ReadonlyMap<string, string> | undefined {
  const pairs = text.split(',').map((one) => one.trim().split('='));
  const areWhole = pairs.every(
    ([name, value = '', ...rest]) => name !== '' && rest.length === 0 && isValue(value),
  );
  const values = new Map(pairs.map(([name = '', value = '']) => [name, value]));
  return areWhole && values.size === pairs.length ? values : undefined;
}

/** Whether it is a host's address with the prefix of a larger network: `192.0.2.1/24`. */
export function isInterfaceAddress(text: string): boolean {
  return networkAround(text) !== undefined;
}

/** @param address with its prefix length @returns a route whose traffic the address would divert */
export function clashOf(address: string, routes: readonly Route[]): Route | undefined {
  const network = networkAround(address);
  return routes.find(({ dst }) => {
    const cidr = parseCidr(dst.includes('/') ? dst : `${dst}/32`);
    // Default routes do not conflict; VPNs write them as two halves.
    return network && cidr && cidr.prefix > 1 && overlap(network, cidr);
  });
}

/** @returns undefined unless it is a host's address in a larger network */
function networkAround(address: string): Cidr | undefined {
  const [host = '', bits = '', ...rest] = address.split('/');
  const ip = parseIp(host);
  if (ip?.version !== 4 || rest.length > 0 || !/^([1-9]|[12]\d|30)$/.test(bits)) return undefined;
  const cidr = cidrAround(ip, Number(bits));
  return cidr.first < ip.value && ip.value < cidr.last ? cidr : undefined;
}
