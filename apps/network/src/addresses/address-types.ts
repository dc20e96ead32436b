/** Values of attributes that are addresses, in their canonical form. */
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

/** With a prefix; bits beyond it are dropped. */
export const ipSubnet: ValueType<string> = valueType(String, readSubnet, canonical(readSubnet));

/**
 * The following stay as they are written, as Neutron keeps them (its `AuthenticIPNetwork`): what they
 * mean is told by `canonicalAddress`, to the data plane and where two are compared.
 */
export const givenAddress: ValueType<string> = valueType(String, asWritten(readIp));

/** Without bits beyond its prefix. */
export const givenDestination: ValueType<string> = valueType(String, asWritten(readCidr));

/** An address, or one with a prefix, which may have bits beyond that. */
export const givenAddressOrSubnet: ValueType<string> = valueType(
  String,
  asWritten((value) =>
    typeof value === 'string' && value.includes('/') ? readSubnet(value) : readIp(value),
  ),
);

/** What an address or a subnet means, in its canonical form. @throws Refusal */
export function canonicalAddress(written: string): string {
  return written.includes('/') ? readSubnet(written) : readIp(written);
}

/** The same of a route, whose nexthop is in that form. @throws Refusal */
export function canonicalRoute<R extends { readonly destination: string }>(route: R): R {
  return { ...route, destination: canonicalAddress(route.destination) };
}

/** Bits beyond the prefix are dropped, and an address is one with all of them. */
export const ipPrefix: ValueType<string> = valueType(String, readPrefix, canonical(readPrefix));

/** The same with the bits beyond the prefix, as Neutron keeps them. */
export const givenPrefix: ValueType<string> = valueType(String, (value) => {
  const [, length] = readPrefix(value).split('/');
  return `${readIp(String(value).split('/')[0])}/${length}`;
});

const MAC = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/;

/** Those that Neutron refuses; it takes other groups' (neutron-lib, `INVALID_MAC_ADDRESSES`). */
const NOBODYS = ['00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff'];

/** In small letters, with colons. */
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

/** A filter's text that is no address is no row's either. */
function canonical(read: (value: unknown) => string): (text: string) => string | undefined {
  return (text) => {
    try {
      return read(text);
    } catch {
      return undefined;
    }
  };
}
