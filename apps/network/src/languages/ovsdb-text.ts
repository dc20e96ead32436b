/**
 * Text in OVSDB rows. The database accepts any text, but programs that read a column may parse it:
 * words, addresses with ports, lists separated by blanks or commas.
 *
 * Always holds: a row takes only text that was formatted here, in `ovn-match.ts` or in
 * `ovn-dhcp.ts`. Each value is parsed and formatted again, so that it is one item of its column.
 * Public source: ovn-nb(5), for the grammar of each column.
 */
import {
  canonicalIp,
  cidrAround,
  formatCidr,
  parseCidr,
  parseIp,
} from '@cumulet/common/addresses/ip-address';
import { conflict } from '@cumulet/common/errors/domain-error';
import type { Code } from '@cumulet/common/languages/code';
import type { Literal } from '@cumulet/common/languages/literal';

/** Text that is compared or shown but never parsed: names, IDs, marks. */
export type OvsdbText = Code<'ovsdb'>;
/** A keyword or number. */
export type OvsdbWord = Code<'ovsdb-word'>;
/** Addresses, alone or with a prefix, port or MAC, and lists of them. */
export type OvnAddress = Code<'ovn-address'>;
/** Names of chassis, separated by commas. */
export type OvnHosts = Code<'ovn-hosts'>;
/** Pairs and lists in a host's settings. */
export type SwitchSetting = Code<'ovs-setting'>;

export type WrittenText = Code<
  'ovsdb' | 'ovsdb-word' | 'ovn-address' | 'ovn-hosts' | 'ovs-setting' | 'ovn-match' | 'ovn-dhcp'
>;

/** The value does not fit its column. The API refuses such values earlier. */
export class UnwritableValueError extends conflict(
  (what: string, value: string) =>
    `'${value.slice(0, 100)}' is not ${what}, as the data plane needs it.`,
) {}

const MAC = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i;
/** An ID or name that is part of a list. */
const NAME = /^[\w.-]+$/;
const MAX_PORT = 65_535;

export function plain(text: string): OvsdbText {
  return text as OvsdbText;
}

/** References to rows, and names in a set. */
export function plains(texts: readonly string[]): readonly OvsdbText[] {
  return texts.map(plain);
}

/** For `external_ids` that only this driver reads. */
export function marks(
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, OvsdbText>> {
  return texts as Readonly<Record<string, OvsdbText>>;
}

/** A keyword: only literals of the source compile. */
export function word<const Word extends string>(text: Literal<Word>): OvsdbWord {
  return text as string as OvsdbWord;
}

export function numeral(value: number): OvsdbWord {
  if (!Number.isSafeInteger(value)) throw new UnwritableValueError('an integer', String(value));
  return String(value) as OvsdbWord;
}

/** Stands for the addresses of the connected router port. */
export const OF_ROUTER = 'router' as OvnAddress;
/** Accepts packets to any address that no other port of the switch has. */
export const UNKNOWN = 'unknown' as OvnAddress;

export function address(text: string): OvnAddress {
  return (canonicalIp(text) ?? refuse('an address', text)) as OvnAddress;
}

export function macAddress(text: string): OvnAddress {
  return (MAC.test(text) ? text.toLowerCase() : refuse('a MAC address', text)) as OvnAddress;
}

export function network(cidr: string): OvnAddress {
  const [host = '', bits = '', ...rest] = cidr.split('/');
  const ip = parseIp(host);
  const isPrefix = /^\d{1,3}$/.test(bits) && Number(bits) <= (ip?.version === 4 ? 32 : 128);
  if (!ip || !isPrefix || rest.length > 0) return refuse('a network', cidr);
  return formatCidr(cidrAround(ip, Number(bits))) as OvnAddress;
}

/** An address with the prefix length of its network. @throws UnwritableValueError */
export function addressIn(text: string, cidr: string): OvnAddress {
  const prefix = parseCidr(cidr)?.prefix ?? refuse('a network', cidr);
  return `${address(text)}/${prefix}` as OvnAddress;
}

/** A MAC with its addresses or networks. @throws UnwritableValueError */
export function ofMac(mac: string, ips: readonly string[]): OvnAddress {
  const all = ips.map((one) => (one.includes('/') ? network(one) : address(one)));
  return [macAddress(mac), ...all].join(' ') as OvnAddress;
}

/** `192.0.2.1:80`, `[2001:db8::1]:80`. @throws UnwritableValueError */
export function endpoint(text: string, port: number): OvnAddress {
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT) refuse('a port', String(port));
  return `${bracketed(text)}:${port}` as OvnAddress;
}

/** Virtual IPs of load balancers, each with its backends. */
export function vips(
  pairs: readonly (readonly [vip: OvnAddress, ends: readonly OvnAddress[]])[],
): Readonly<Record<string, OvnAddress>> {
  return Object.fromEntries(pairs.map(([vip, ends]) => [vip, ends.join(',') as OvnAddress]));
}

export interface PortMapping {
  readonly address: string;
  /** The switch's port with the address. */
  readonly portId: string;
  /** The source address of checks. */
  readonly checkedFrom: string;
}

export function portMappings(all: readonly PortMapping[]): Readonly<Record<string, OvnAddress>> {
  return Object.fromEntries(
    all.map(({ address: of, portId, checkedFrom }) => {
      const port = NAME.test(portId) ? portId : refuse('the name of a port', portId);
      return [bracketed(of), `${port}:${bracketed(checkedFrom)}` as OvnAddress];
    }),
  );
}

/** @returns undefined if there are none; names that contain separators are skipped */
export function hosts(names: readonly string[]): OvnHosts | undefined {
  const all = names.filter((one) => one !== '' && !/[\s,]/.test(one));
  return all.length === 0 ? undefined : (all.join(',') as OvnHosts);
}

/** `a=1,b=2`, `a:1,b:2`, with names that an operator chose. @throws UnwritableValueError */
export function settings(
  pairs: readonly (readonly [name: string, value?: string])[],
  sign: '=' | ':',
): SwitchSetting {
  const parts = pairs.flat().filter((one) => one !== undefined);
  const odd = parts.find((one) => /[\s,]/.test(one) || one.includes(sign));
  if (odd !== undefined) return refuse('a setting of a host', odd);
  return pairs.map((pair) => pair.join(sign)).join(',') as SwitchSetting;
}

function bracketed(text: string): string {
  const ip = address(text);
  return ip.includes(':') ? `[${ip}]` : ip;
}

function refuse(what: string, value: string): never {
  throw new UnwritableValueError(what, value);
}
