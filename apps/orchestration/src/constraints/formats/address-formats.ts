/**
 * Addresses as Heat's constraints take them.
 *
 * Always holds: each gives undefined for a good value, and otherwise what is wrong with it.
 */
import { parseIp } from '@cumulet/common/addresses/ip-address';

/** `ip_addr` */
export function ipAddressFault(value: string): string | undefined {
  return parseIp(value) ? undefined : 'Invalid IP address';
}

const MACS = [
  /^[0-9a-f]{1,2}(?:[:-][0-9a-f]{1,2}){5}$/i,
  /^[0-9a-f]{1,4}(?:[:.-][0-9a-f]{1,4}){2}$/i,
  /^[0-9a-f]{5,6}[:-][0-9a-f]{5,6}$/i,
  /^[0-9a-f]{11,12}$/i,
];

/** `mac_addr`, in any of the usual ways to write one */
export function macAddressFault(value: string): string | undefined {
  return MACS.some((one) => one.test(value)) ? undefined : 'Invalid MAC address.';
}

/** `net_cidr`: an address with the length of its network, of which bits may be set beyond it. */
export function cidrFault(value: string): string | undefined {
  const [address = '', bits = '', ...rest] = value.split('/');
  const ip = parseIp(address);
  const isLength = /^\d{1,3}$/.test(bits) && Number(bits) <= (ip?.version === 4 ? 32 : 128);
  return ip && isLength && rest.length === 0 ? undefined : `'${value}' is not a valid IP subnet`;
}

/** `ip_or_cidr` */
export function ipOrCidrFault(value: string): string | undefined {
  const fault = value.includes('/') ? cidrFault(value) : ipAddressFault(value);
  return fault === undefined ? undefined : `${value} is not a valid IP or CIDR`;
}
