/** Types of attributes that are IP or MAC addresses. Values are kept in canonical form. */
import { Refusal, shortened, valueType } from '@cumulet/common/resources/value-type';
import type { ValueType } from '@cumulet/common/resources/value-type';
import {
  cidrAround,
  formatCidr,
  formatIp,
  parseCidr,
  parseIp,
} from '@cumulet/common/addresses/ip-address';

export const ipAddress: ValueType<string> = valueType(String, readIp, canonical(readIp));

/** A CIDR; host bits are dropped. */
export const ipSubnet: ValueType<string> = valueType(String, readSubnet, canonical(readSubnet));

/**
 * The following types keep the spelling that the client chose, as Neutron does (its
 * `AuthenticIPNetwork`). `canonicalAddress` normalises them for the data plane and for comparisons.
 */
export const givenAddress: ValueType<string> = valueType(String, asWritten(readIp));

/** A CIDR without host bits. */
export const givenDestination: ValueType<string> = valueType(String, asWritten(readCidr));

/** An address or a CIDR, which may have host bits. */
export const givenAddressOrSubnet: ValueType<string> = valueType(
  String,
  asWritten((value) =>
    typeof value === 'string' && value.includes('/') ? readSubnet(value) : readIp(value),
  ),
);

/** @returns an address or a CIDR in canonical form @throws Refusal */
export function canonicalAddress(written: string): string {
  return written.includes('/') ? readSubnet(written) : readIp(written);
}

/** @returns the route with its next hop in canonical form @throws Refusal */
export function canonicalRoute<R extends { readonly destination: string }>(route: R): R {
  return { ...route, destination: canonicalAddress(route.destination) };
}

/** A CIDR; host bits are dropped, and a bare address has the longest prefix. */
export const ipPrefix: ValueType<string> = valueType(String, readPrefix, canonical(readPrefix));

/** The same, but host bits are kept, as in Neutron. */
export const givenPrefix: ValueType<string> = valueType(String, (value) => {
  const [, length] = readPrefix(value).split('/');
  return `${readIp(String(value).split('/')[0])}/${length}`;
});

const MAC = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/;

/** Neutron refuses these, but not other multicast MACs (neutron-lib, `INVALID_MAC_ADDRESSES`). */
const NOBODYS = ['00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff'];

/** In lower case, separated by colons. */
export const macAddress: ValueType<string> = valueType(
  String,
  (value) => {
    const mac = typeof value === 'string' ? value.toLowerCase().replaceAll('-', ':') : '';
    if (!MAC.test(mac) || NOBODYS.includes(mac))
      throw new Refusal(`'${shortened(value)}' is not a valid MAC address`);
    return mac;
  },
  (given) => given.toLowerCase().replaceAll('-', ':'),
);

function readIp(value: unknown): string {
  const ip = typeof value === 'string' ? parseIp(value) : undefined;
  if (!ip) throw new Refusal(`'${shortened(value)}' is not a valid IP address`);
  return formatIp(ip);
}

function readSubnet(value: unknown): string {
  const [address = '', bits = '', ...rest] = typeof value === 'string' ? value.split('/') : [];
  const ip = parseIp(address);
  const isPrefix = /^\d{1,3}$/.test(bits) && Number(bits) <= (ip?.version === 6 ? 128 : 32);
  if (!ip || !isPrefix || rest.length > 0)
    throw new Refusal(`'${shortened(value)}' is not a valid IP subnet`);
  return formatCidr(cidrAround(ip, Number(bits)));
}

function readCidr(value: unknown): string {
  const cidr = typeof value === 'string' ? parseCidr(value) : undefined;
  if (cidr) return formatCidr(cidr);
  throw new Refusal(`'${shortened(value)}' is not a valid CIDR`);
}

function readPrefix(value: unknown): string {
  const [address = '', bits] = typeof value === 'string' ? value.split('/') : [];
  const ip = parseIp(address);
  const longest = ip?.version === 6 ? 128 : 32;
  const length = bits === undefined ? longest : Number(bits);
  if (!ip || !/^\d{1,3}$/.test(String(length)) || length > longest)
    throw new Refusal(`Invalid CIDR ${shortened(value)} given as IP prefix`);
  return formatCidr(cidrAround(ip, length));
}

function asWritten(read: (value: unknown) => string): (value: unknown) => string {
  return (value) => {
    read(value);
    return String(value);
  };
}

/** A filter value that is not an address matches no row. */
function canonical(read: (value: unknown) => string): (text: string) => string | undefined {
  return (text) => {
    try {
      return read(text);
    } catch {
      return undefined;
    }
  };
}
