/**
 * Custom constraints that look at a value alone. Public source: Heat template guide, "Parameter
 * Constraints", custom_constraint.
 */
import { parseExact } from '../../json/exact-json.js';
import { cidrFault, ipAddressFault, ipOrCidrFault, macAddressFault } from './address-formats.js';
import { cronFault } from './cron-expression.js';
import { dnsDomainFault, dnsNameFault, relativeDnsNameFault } from './dns-names.js';
import { expirationFault, isoTimeFault, timezoneFault } from './times.js';

/** @returns what is wrong with the value; undefined for a good one */
export type FormatFault = (value: string) => string | undefined;

export const FORMAT_CONSTRAINTS: Readonly<Record<string, FormatFault>> = {
  cron_expression: cronFault,
  dns_domain: dnsDomainFault,
  dns_name: dnsNameFault,
  expiration: (value) => expirationFault(value),
  ip_addr: ipAddressFault,
  ip_or_cidr: ipOrCidrFault,
  iso_8601: isoTimeFault,
  json_string: jsonFault,
  mac_addr: macAddressFault,
  net_cidr: cidrFault,
  rel_dns_name: relativeDnsNameFault,
  // Of OS::Heat::TestResource, where Heat waits for as many seconds while it judges.
  test_constr: (value) =>
    /^\d+(?:\.\d+)?$/.test(value) ? undefined : 'it is not a time in seconds',
  timezone: timezoneFault,
};

function jsonFault(value: string): string | undefined {
  if (value === '') return undefined;
  try {
    parseExact(value);
    return undefined;
  } catch {
    return `JSON string ${value} is invalid`;
  }
}
