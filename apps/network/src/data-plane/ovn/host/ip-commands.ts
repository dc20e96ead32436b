/**
 * Writes commands for `ip -batch`. Public source: ip(8), iproute2's `lib/utils.c`, which splits
 * lines at white space and interprets quotes, comments and continuations.
 *
 * Always holds: each value is parsed and formatted again as one word, so text of a port or a subnet
 * cannot add a word, an option or a line.
 */
import { canonicalIp, formatCidr, parseCidr, parseIp } from '@cumulet/common/addresses/ip-address';
import type { Code } from '@cumulet/common/languages/code';
import { runProgram } from '@cumulet/common/programs/run-program';
import { OvnHostError } from './ovn-host.errors.js';

export type IpCommand = Code<'ip'>;
type IpWord = Code<'ip-word'>;

/** Address families; `batch` runs the commands of each separately. */
export const FAMILIES = { 4: '-4' as IpWord, 6: '-6' as IpWord } as const;

/** A command: fixed words, with values between them. */
export function ip(
  words: TemplateStringsArray,
  ...values: readonly (IpWord | number)[]
): IpCommand {
  const written = values.map((value) => (typeof value === 'number' ? whole(value) : value));
  return String.raw({ raw: words }, ...written) as IpCommand;
}

/** Linux allows 15 bytes; characters that separate paths or lists are refused. */
export function deviceWord(name: string): IpWord {
  return matching(name, /^[A-Za-z0-9][\w.-]{0,14}$/, 'the name of a device');
}

export function macWord(text: string): IpWord {
  return matching(text.toLowerCase(), /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/, 'a MAC address');
}

export function addressWord(text: string): IpWord {
  return (canonicalIp(text) ?? refuse(text, 'an IP address')) as IpWord;
}

/**
 * An address with its prefix length, such as `10.0.0.5/24`.
 * @param subnet a CIDR that contains the address, or the prefix length
 */
export function placedAddressWord(address: string, subnet: string | number): IpWord {
  const prefix = typeof subnet === 'number' ? subnet : prefixOf(subnet);
  return `${addressWord(address)}/${whole(prefix)}` as IpWord;
}

function prefixOf(cidr: string): number {
  return (parseCidr(cidr) ?? refuse(cidr, 'a CIDR')).prefix;
}

/** The destination of a route: `default`, a CIDR, or a host's address. */
export function destinationWord(text: string): IpWord {
  if (text === 'default' || parseIp(text)) return (canonicalIp(text) ?? text) as IpWord;
  const cidr = parseCidr(text) ?? refuse(text, 'a CIDR');
  return (
    cidr.first === cidr.last ? canonicalIp(text.split('/')[0] ?? '') : formatCidr(cidr)
  ) as IpWord;
}

/** A routing table, by number or well-known name. */
export function tableWord(text: string): IpWord {
  return matching(text, /^(?:\d{1,9}|main|local|default)$/, 'a routing table');
}

function whole(value: number): string {
  if (Number.isSafeInteger(value) && value >= 0) return String(value);
  return refuse(String(value), 'a whole number');
}

function matching(text: string, form: RegExp, what: string): IpWord {
  return form.test(text) ? (text as IpWord) : refuse(text, what);
}

function refuse(text: string, what: string): never {
  throw new OvnHostError(`${JSON.stringify(text.slice(0, 64))} is not ${what}`);
}

const LIMIT_MS = 10_000;

/** Runs the commands in order, those of each address family first. @throws OvnHostError */
export async function batch(namespace: string, commands: readonly IpCommand[]): Promise<void> {
  for (const family of [...Object.values(FAMILIES), '']) {
    const own = commands.filter((command) => familyOf(command) === family);
    if (own.length === 0) continue;
    // Lines of a batch do not take options.
    const input = `${own.map((command) => command.replace(/^-[46] /, '')).join('\n')}\n`;
    const args = [...(family === '' ? [] : [family]), '-n', namespace, '-batch', '-'];
    const { exitCode, stderr } = await runProgram('ip', args, { timeoutMs: LIMIT_MS, input });
    if (exitCode !== 0) throw new OvnHostError(`ip in ${namespace} failed: ${stderr.trim()}`);
  }
}

function familyOf(command: IpCommand): string {
  return /^-[46](?= )/.exec(command)?.[0] ?? '';
}
