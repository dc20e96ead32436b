/**
 * What `ip -batch` is told: lines of words. Public source: ip(8), iproute2's `lib/utils.c`, which
 * parts lines at white space and reads quotations, comments and continuations in them.
 *
 * Always holds: a value is one word, read and written anew as what it is to be; no text of a port or
 * a subnet adds a word, an option or a line.
 */
import { canonicalIp, formatCidr, parseCidr, parseIp } from '@cumulet/common/addresses/ip-address';
import type { Code } from '@cumulet/common/languages/code';
import { runProgram } from '@cumulet/common/programs/run-program';
import { OvnHostError } from './ovn-host.errors.js';

export type IpCommand = Code<'ip'>;
type IpWord = Code<'ip-word'>;

/** Options that stand before a command; `batch` runs each family's by themselves. */
export const FAMILIES = { 4: '-4' as IpWord, 6: '-6' as IpWord } as const;

/** A command: its fixed words, with values between them. */
export function ip(
  words: TemplateStringsArray,
  ...values: readonly (IpWord | number)[]
): IpCommand {
  const written = values.map((value) => (typeof value === 'number' ? whole(value) : value));
  return String.raw({ raw: words }, ...written) as IpCommand;
}

/** Of Linux: 15 bytes, without what a path or a list would split at. */
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
 * An address with a prefix: `10.0.0.5/24`.
 * @param subnet a CIDR that has it, or the prefix itself
 */
export function placedAddressWord(address: string, subnet: string | number): IpWord {
  const prefix = typeof subnet === 'number' ? subnet : prefixOf(subnet);
  return `${addressWord(address)}/${whole(prefix)}` as IpWord;
}

function prefixOf(cidr: string): number {
  return (parseCidr(cidr) ?? refuse(cidr, 'a CIDR')).prefix;
}

/** Where a route leads: `default`, a CIDR, or an address as `ip` shows a route to one alone. */
export function destinationWord(text: string): IpWord {
  if (text === 'default' || parseIp(text)) return (canonicalIp(text) ?? text) as IpWord;
  const cidr = parseCidr(text) ?? refuse(text, 'a CIDR');
  return (
    cidr.first === cidr.last ? canonicalIp(text.split('/')[0] ?? '') : formatCidr(cidr)
  ) as IpWord;
}

/** A routing table, by its number or by a name that all systems have. */
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

/** Runs commands one after the other, those of each family first. @throws OvnHostError */
export async function batch(namespace: string, commands: readonly IpCommand[]): Promise<void> {
  for (const family of [...Object.values(FAMILIES), '']) {
    const own = commands.filter((command) => familyOf(command) === family);
    if (own.length === 0) continue;
    // In its lines, ip takes no options.
    const input = `${own.map((command) => command.replace(/^-[46] /, '')).join('\n')}\n`;
    const args = [...(family === '' ? [] : [family]), '-n', namespace, '-batch', '-'];
    const { exitCode, stderr } = await runProgram('ip', args, { timeoutMs: LIMIT_MS, input });
    if (exitCode !== 0) throw new OvnHostError(`ip in ${namespace} failed: ${stderr.trim()}`);
  }
}

function familyOf(command: IpCommand): string {
  return /^-[46](?= )/.exec(command)?.[0] ?? '';
}
