/**
 * Texts in the rows of OVSDB. The database itself takes any; but whoever reads a row may read a column
 * as a language of its own: words, addresses with ports, lists between blanks or commas.
 *
 * Always holds: an OVSDB row takes only what is written here, in `ovn-match.ts` or in `ovn-dhcp.ts`.
 * Each value is parsed and written anew, so that it is one item of its column. Public source:
 * ovn-nb(5), for the grammar of each column.
 */
import {
  canonicalIp,
  cidrAround,
  formatCidr,
  parseCidr,
  parseIp,
} from '@cumulet/common/addresses/ip-address';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { Code } from '@cumulet/common/languages/code';
import type { Literal } from '@cumulet/common/languages/literal';

/** Compared or shown, and read by nobody: names, ids, marks. */
export type OvsdbText = Code<'ovsdb'>;
/** One of the words or numbers that a column has a meaning for. */
export type OvsdbWord = Code<'ovsdb-word'>;
/** Addresses, alone, with a prefix, a port or a MAC, and lists of them. */
export type OvnAddress = Code<'ovn-address'>;
/** Names of chassis between commas. */
export type OvnHosts = Code<'ovn-hosts'>;
/** Pairs and lists of a host's own settings. */
export type SwitchSetting = Code<'ovs-setting'>;

/** What a row may hold. */
export type WrittenText = Code<
  'ovsdb' | 'ovsdb-word' | 'ovn-address' | 'ovn-hosts' | 'ovs-setting' | 'ovn-match' | 'ovn-dhcp'
>;

/** Nothing that a column could hold; the API takes no such value. */
export class UnwritableValueError extends DomainError {
  constructor(what: string, value: string) {
    super('conflict', `'${value.slice(0, 100)}' is not ${what}, as the data plane needs it.`);
  }
}

const MAC = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i;
/** Of an id or a name that stands beside others. */
const NAME = /^[\w.-]+$/;
const MAX_PORT = 65_535;

export function plain(text: string): OvsdbText {
  return text as OvsdbText;
}

/** References to rows, and names of which a column has several. */
export function plains(texts: readonly string[]): readonly OvsdbText[] {
  return texts.map(plain);
}

/** Marks that one writes for oneself. */
export function marks(
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, OvsdbText>> {
  return texts as Readonly<Record<string, OvsdbText>>;
}

/** A word that is written in the source: a text of which only that is known does not compile. */
export function word<const Word extends string>(text: Literal<Word>): OvsdbWord {
  return text as string as OvsdbWord;
}

export function numeral(value: number): OvsdbWord {
  if (!Number.isSafeInteger(value)) throw new UnwritableValueError('an integer', String(value));
  return String(value) as OvsdbWord;
}

/** What stands for no address of its own: OVN takes those of the router's port. */
export const OF_ROUTER = 'router' as OvnAddress;
/** Whatever address nobody else on the switch has. */
export const UNKNOWN = 'unknown' as OvnAddress;

/** @throws UnwritableValueError */
export function address(text: string): OvnAddress {
  return (canonicalIp(text) ?? refuse('an address', text)) as OvnAddress;
}

/** @throws UnwritableValueError */
export function macAddress(text: string): OvnAddress {
  return (MAC.test(text) ? text.toLowerCase() : refuse('a MAC address', text)) as OvnAddress;
}

/** @throws UnwritableValueError */
export function network(cidr: string): OvnAddress {
  const [host = '', bits = '', ...rest] = cidr.split('/');
  const ip = parseIp(host);
  const isPrefix = /^\d{1,3}$/.test(bits) && Number(bits) <= (ip?.version === 4 ? 32 : 128);
  if (!ip || !isPrefix || rest.length > 0) return refuse('a network', cidr);
  return formatCidr(cidrAround(ip, Number(bits))) as OvnAddress;
}

/** An address with the prefix of its network. @throws UnwritableValueError */
export function addressIn(text: string, cidr: string): OvnAddress {
  const prefix = parseCidr(cidr)?.prefix ?? refuse('a network', cidr);
  return `${address(text)}/${prefix}` as OvnAddress;
}

/** A MAC with the addresses that go with it, those of a whole network too. @throws UnwritableValueError */
export function ofMac(mac: string, ips: readonly string[]): OvnAddress {
  const all = ips.map((one) => (one.includes('/') ? network(one) : address(one)));
  return [macAddress(mac), ...all].join(' ') as OvnAddress;
}

/** `192.0.2.1:80`, `[2001:db8::1]:80`. @throws UnwritableValueError */
export function endpoint(text: string, port: number): OvnAddress {
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT) refuse('a port', String(port));
  return `${bracketed(text)}:${port}` as OvnAddress;
}

/** Addresses that balancers have, each with those behind it. */
export function vips(
  pairs: readonly (readonly [vip: OvnAddress, ends: readonly OvnAddress[]])[],
): Readonly<Record<string, OvnAddress>> {
  return Object.fromEntries(pairs.map(([vip, ends]) => [vip, ends.join(',') as OvnAddress]));
}

export interface PortMapping {
  readonly address: string;
  /** The switch's port that has the address. */
  readonly portId: string;
  /** From where it is checked. */
  readonly checkedFrom: string;
}

/** @throws UnwritableValueError */
export function portMappings(all: readonly PortMapping[]): Readonly<Record<string, OvnAddress>> {
  return Object.fromEntries(
    all.map(({ address: of, portId, checkedFrom }) => {
      const port = NAME.test(portId) ? portId : refuse('the name of a port', portId);
      return [bracketed(of), `${port}:${bracketed(checkedFrom)}` as OvnAddress];
    }),
  );
}

/** @returns undefined where there is none; a name that would be several is none */
export function hosts(names: readonly string[]): OvnHosts | undefined {
  const all = names.filter((one) => one !== '' && !/[\s,]/.test(one));
  return all.length === 0 ? undefined : (all.join(',') as OvnHosts);
}

/** `a=1,b=2`, `a:1,b:2`, of an operator's names. @throws UnwritableValueError */
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
