/**
 * The options of OVN's DHCP server. ovn-northd copies their names and values into logical-flow
 * actions, `put_dhcp_opts(…)`, so an unchecked value could inject actions (the class of
 * CVE-2021-40085).
 *
 * Always holds: an option's name is in this table, and its value was parsed as OVN's type of the
 * option and formatted again. Public sources: ovn, `lib/ovn-l7.h`, and ovn-sb(5), "Logical_Flow",
 * for names and types; neutron, `SUPPORTED_DHCP_OPTS_MAPPING` in `common/ovn/constants.py`, for
 * clients' names.
 */
import { cidrAround, formatCidr, formatIp, parseIp } from '@cumulet/common/addresses/ip-address';
import type { IpVersion } from '@cumulet/common/addresses/ip-address';
import type { Code } from '@cumulet/common/languages/code';

/** The value of an option, which only this module creates. */
export type DhcpValue = Code<'ovn-dhcp'>;
export type DhcpValues = Readonly<Record<string, DhcpValue>>;

/**
 * One of OVN's option types: a description, and a function that normalises a value, or returns
 * undefined if it is invalid.
 */
interface OptionType {
  readonly takes: string;
  readonly write: (text: string) => string | undefined;
}

/** Bytes of a value: its length is one byte in DHCP. */
const MAX_BYTES = 255;
const BYTES = { 4: 4, 6: 16 } as const;

/** Line ends and control characters, which no option needs. */
const CONTROL = /[\p{Cc}\u2028\u2029\p{Surrogate}]/u;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.?$/i;
const MAX_DOMAIN = 253;

const FLAG: OptionType = {
  takes: '0 or 1',
  write: (text) => (text === '0' || text === '1' ? text : undefined),
};
const MAC: OptionType = {
  takes: 'a MAC address',
  write: (text) => (/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(text) ? text.toLowerCase() : undefined),
};
const TEXT: OptionType = {
  takes: `text of 1 to ${MAX_BYTES} bytes without control characters`,
  write: (text) => {
    const bare = unquoted(text);
    const isShort = bare !== '' && Buffer.byteLength(bare) <= MAX_BYTES;
    return isShort && !CONTROL.test(bare) ? quoted(bare) : undefined;
  },
};
const ADDRESS = { 4: addresses(4, 1), 6: addresses(6, 1) };
const ADDRESSES = { 4: addresses(4), 6: addresses(6) };
const ROUTES: OptionType = {
  takes: 'pairs of a destination and a next hop, separated by commas',
  write: writeRoutes,
};
const DOMAIN_NAME = domains(1);
const DOMAINS = domains(Infinity);
const UINT8 = integer(0xff);
const UINT16 = integer(0xffff);
const UINT32 = integer(0xffffffff);

/** By OVN's name. */
const TYPES: Readonly<Record<IpVersion, ReadonlyMap<string, OptionType>>> = {
  4: new Map([
    ['arp_cache_timeout', UINT32],
    ['bootfile_name', TEXT],
    ['bootfile_name_alt', TEXT],
    ['classless_static_route', ROUTES],
    ['default_ttl', UINT8],
    ['dns_server', ADDRESSES[4]],
    ['domain_name', TEXT],
    ['domain_search_list', DOMAINS],
    ['ethernet_encap', FLAG],
    ['ip_forward_enable', FLAG],
    ['lease_time', UINT32],
    ['log_server', ADDRESSES[4]],
    ['lpr_server', ADDRESSES[4]],
    ['ms_classless_static_route', ROUTES],
    ['mtu', UINT16],
    ['netmask', ADDRESS[4]],
    ['next_server', ADDRESS[4]],
    ['nis_server', ADDRESSES[4]],
    ['ntp_server', ADDRESSES[4]],
    ['path_prefix', TEXT],
    ['policy_filter', ADDRESSES[4]],
    ['router', ADDRESSES[4]],
    ['router_discovery', FLAG],
    ['router_solicitation', ADDRESS[4]],
    // OVN reads these two as the server's addresses, not as options.
    ['server_id', ADDRESS[4]],
    ['server_mac', MAC],
    ['swap_server', ADDRESSES[4]],
    ['T1', UINT32],
    ['T2', UINT32],
    ['tcp_keepalive_interval', UINT32],
    ['tcp_ttl', UINT8],
    ['tftp_server', TEXT],
    ['tftp_server_address', ADDRESSES[4]],
    ['wpad', TEXT],
  ]),
  6: new Map([
    ['dhcpv6_stateless', { takes: 'true', write: (text) => (text === 'true' ? text : undefined) }],
    ['dns_server', ADDRESSES[6]],
    ['domain_search', DOMAIN_NAME],
    ['ia_addr', ADDRESS[6]],
    ['server_id', MAC],
  ]),
};

/** Clients' names and numbers of options, with OVN's names. */
const NAMES: Readonly<Record<IpVersion, ReadonlyMap<string, string>>> = {
  4: named([
    ['arp_cache_timeout', 'arp-timeout', 35],
    ['bootfile_name', 'bootfile-name', 67],
    ['bootfile_name_alt', 'bootfile-name-alt'],
    ['classless_static_route', 'classless-static-route', 121],
    ['default_ttl', 'default-ttl', 23],
    ['dns_server', 'dns-server', 6],
    ['domain_name', 'domain-name', 15],
    ['domain_search_list', 'domain-search', 119],
    ['ethernet_encap', 'ethernet-encap', 36],
    ['ip_forward_enable', 'ip-forward-enable', 19],
    ['lease_time', 'lease-time', 51],
    ['log_server', 'log-server', 7],
    ['lpr_server', 'lpr-server', 9],
    ['ms_classless_static_route', 'ms-classless-static-route', 249],
    ['mtu', 'mtu', 26],
    ['netmask', 'netmask', 1],
    ['next_server', 'server-ip-address', 255],
    ['nis_server', 'nis-server', 41],
    ['ntp_server', 'ntp-server', 42],
    ['path_prefix', 'path-prefix', 210],
    ['policy_filter', 'policy-filter', 21],
    ['router', 'router', 3],
    ['router_discovery', 'router-discovery', 31],
    ['router_solicitation', 'router-solicitation', 32],
    ['server_id', 'server-id', 54],
    ['swap_server', 'swap-server', 16],
    ['T1', 'T1', 58],
    ['T2', 'T2', 59],
    ['tcp_keepalive_interval', 'tcp-keepalive', 38],
    ['tcp_ttl', 'tcp-ttl', 37],
    ['tftp_server', 'tftp-server', 66],
    ['tftp_server_address', 'tftp-server-address', 150],
    ['wpad', 'wpad', 252],
  ]),
  6: named([
    ['dns_server', 'dns-server', 23],
    ['domain_search', 'domain-search', 24],
    ['ia_addr', 'ia-addr', 5],
    ['server_id', 'server-id', 2],
  ]),
};

/** Options that may have an empty value, which leaves them out. */
const BLANK = ['router', 'classless_static_route'];

/** An option that a client has set on a port. */
export type OwnOption =
  | { readonly name: string; readonly value: DhcpValue }
  /** The option is left out, also where the subnet has one. */
  | { readonly name: string; readonly value: null }
  /** The reason for refusing the value. */
  | { readonly fault: string };

/** @param name as the client calls it @returns undefined for an option that OVN does not know */
export function ownOption(version: IpVersion, name: string, value: string): OwnOption | undefined {
  const known = NAMES[version].get(name);
  if (known === undefined) return undefined;
  if (value === '' && BLANK.includes(known)) return { name: known, value: null };
  const written = dhcpValue(version, known, value);
  if (written !== undefined) return { name: known, value: written };
  const takes = TYPES[version].get(known)?.takes ?? '';
  return { fault: `the DHCP option ${name} of IPv${version} takes ${takes}` };
}

/** @param name as OVN calls it @returns undefined for an unknown option or an invalid value */
export function dhcpValue(version: IpVersion, name: string, text: string): DhcpValue | undefined {
  const written = TYPES[version].get(name)?.write(text);
  return written as DhcpValue | undefined;
}

/** The options of a subnet, without those whose values OVN does not support. */
export function dhcpValues(
  version: IpVersion,
  options: Readonly<Record<string, string | undefined>>,
): DhcpValues {
  const written = Object.entries(options).flatMap(([name, text]) => {
    const value = text === undefined ? undefined : dhcpValue(version, name, text);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(written);
}

function named(
  rows: readonly (readonly [ovn: string, name: string, code?: number])[],
): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap(([ovn, name, code]): [string, string][] => [
      [name, ovn],
      ...(code === undefined ? [] : [[String(code), ovn] as [string, string]]),
    ]),
  );
}

/** Without leading zeros, which OVN's lexer refuses. */
function integer(max: number): OptionType {
  return {
    takes: `an integer from 0 to ${max}`,
    write: (text) =>
      /^\d{1,10}$/.test(text) && Number(text) <= max ? String(Number(text)) : undefined,
  };
}

function addresses(version: IpVersion, most = Math.floor(MAX_BYTES / BYTES[version])): OptionType {
  const what = `IPv${version} address`;
  return {
    takes: most === 1 ? `an ${what}` : `1 to ${most} ${what}es separated by commas`,
    write: (text) => {
      const parts = partsOf(text).map((one) => addressOf(one, version));
      const known = parts.filter((one) => one !== undefined);
      if (known.length !== parts.length || known.length > most) return undefined;
      return known.length === 1 ? known[0] : `{${known.join(', ')}}`;
    },
  };
}

function addressOf(text: string, version: IpVersion): string | undefined {
  const ip = parseIp(text);
  return ip?.version === version ? formatIp(ip) : undefined;
}

/** Public source: RFC 3442: one byte, the significant bytes of the destination, and four. */
function writeRoutes(text: string): string | undefined {
  const parts = partsOf(text);
  const pairs: string[] = [];
  let bytes = 0;
  for (let at = 0; at < parts.length; at += 2) {
    const [address = '', bits = '32', ...rest] = (parts[at] ?? '').split('/');
    const ip = parseIp(address);
    const nexthop = addressOf(parts[at + 1] ?? '', 4);
    if (ip?.version !== 4 || !/^\d{1,2}$/.test(bits) || Number(bits) > 32) return undefined;
    if (nexthop === undefined || rest.length > 0) return undefined;
    bytes += 5 + Math.ceil(Number(bits) / 8);
    pairs.push(`${formatCidr(cidrAround(ip, Number(bits)))},${nexthop}`);
  }
  return bytes > MAX_BYTES ? undefined : `{${pairs.join(', ')}}`;
}

function domains(most: number): OptionType {
  return {
    takes: most === 1 ? 'a domain name' : 'domain names separated by commas',
    write: (text) => {
      const names = unquoted(text)
        .split(',')
        .map((one) => one.trim());
      const isFine = names.every((one) => DOMAIN.test(one) && one.length <= MAX_DOMAIN);
      const whole = names.map((one) => one.replace(/\.$/, '')).join(',');
      // The encoding adds at most two bytes to each.
      if (!isFine || names.length > most || whole.length + names.length > MAX_BYTES)
        return undefined;
      return quoted(whole);
    },
  };
}

/** The items of a list, with or without OVN's braces. */
function partsOf(text: string): string[] {
  const [, inner = text] = /^\{(.*)\}$/.exec(text) ?? [];
  return inner.split(',').map((one) => one.trim());
}

/** Clients may include the quotes of OVN's syntax. */
function unquoted(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

/** As in JSON. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
