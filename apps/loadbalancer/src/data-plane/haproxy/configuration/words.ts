/**
 * HAProxy's configuration language: words, lines and sections.
 * Public source: HAProxy Configuration Manual, "2.2. Quoting and escaping".
 *
 * Always holds: a line is a template with literal text, whose values are typed words from this
 * module: names, numbers, addresses, or quoted text. So each value stays one word of one line.
 */
import { cidrAround, formatCidr, formatIp, parseIp } from '@cumulet/common/addresses/ip-address';
import type { Code } from '@cumulet/common/languages/code';
import type { Literal } from '@cumulet/common/languages/literal';
import { BalancerRefusedError } from '../../data-plane.js';

export type Word = Code<'haproxy-word'>;
export type Line = Code<'haproxy-line'>;
/** The content of a file that HAProxy reads. */
export type FileText = Code<'haproxy-file'>;

/** A value that cannot be quoted; validation should have refused it. */
export class UnquotableWordError extends BalancerRefusedError {
  constructor(has: string) {
    super(`A value has ${has}, which HAProxy's configuration cannot express.`);
  }
}

const PLAIN = /^[A-Za-z0-9_.,:/@%+=-]+$/;
/** ASCII's control characters: a line end cannot be quoted. */
const CONTROL = /[^\P{Cc}\u0080-\u009f]/u;
/** HAProxy's names. */
const NAME = /^[A-Za-z0-9_.:-]{1,255}$/;
const FILE = /^[A-Za-z0-9][A-Za-z0-9.-]{0,254}$/;
/** Half of the maximum of a line. */
const MAX_BYTES = 8192;

/**
 * Within single quotes only the quote is special.
 * @throws UnquotableWordError for control characters, and for more than a line can have
 */
export function word(value: string): Word {
  if (CONTROL.test(value)) throw new UnquotableWordError('a control character');
  if (Buffer.byteLength(value) > MAX_BYTES) throw new UnquotableWordError('too many characters');
  return (PLAIN.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`) as Word;
}

/** For places with format strings: escapes percent signs. @throws as `word` */
export function format(value: string): Word {
  return word(value.replaceAll('%', '%%'));
}

/** Parts are joined by colons. @throws UnquotableWordError for anything but a name */
export function name(...parts: readonly string[]): Word {
  const whole = parts.join(':');
  if (!NAME.test(whole)) throw new UnquotableWordError(`the name ${JSON.stringify(whole)}`);
  return whole as Word;
}

/** @throws UnquotableWordError for anything but a natural number */
export function number(value: number, unit: '' | 'ms' | 's' = ''): Word {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new UnquotableWordError(`the number ${value}`);
  return `${value}${unit}` as Word;
}

/** The name of a condition, or its negation. @throws as `name` */
export function condition(id: string, isInverted: boolean): Word {
  return `${isInverted ? '!' : ''}${name(id)}` as Word;
}

/**
 * A sample fetch with an argument: `req.hdr("X-Tenant")`.
 * @throws UnquotableWordError for an argument with quotes or backslashes, which would end it
 */
export function fetchOf<const Fetch extends string>(fetch: Literal<Fetch>, argument: string): Word {
  if (/["\\]/.test(argument)) throw new UnquotableWordError('a quote or a backslash');
  return word(`${fetch as string}("${argument}")`);
}

/** An address with a port: `192.0.2.1:80`, `[2001:db8::1]:80`. @throws as `host` */
export function endpoint(address: string, port: number): Word {
  return word(`${bracketed(address)}:${number(port)}`);
}

/** An address, in brackets for IPv6. @throws UnquotableWordError for anything else */
export function host(address: string): Word {
  return word(bracketed(address));
}

function bracketed(address: string): string {
  const ip = parseIp(address);
  if (!ip) throw new UnquotableWordError(`the address ${JSON.stringify(address)}`);
  return ip.version === 6 ? `[${formatIp(ip)}]` : formatIp(ip);
}

/** @throws UnquotableWordError for anything but a CIDR */
export function network(cidr: string): Word {
  const [address = '', bits = '', ...rest] = cidr.split('/');
  const ip = parseIp(address);
  const isPrefix = /^\d{1,3}$/.test(bits) && Number(bits) <= (ip?.version === 6 ? 128 : 32);
  if (!ip || !isPrefix || rest.length > 0)
    throw new UnquotableWordError(`the network ${JSON.stringify(cidr)}`);
  return formatCidr(cidrAround(ip, Number(bits))) as Word;
}

type Given = Word | readonly Word[] | undefined;

/** Several words, literal ones and given ones; undefined ones are left out. */
export function words(source: TemplateStringsArray, ...given: readonly Given[]): Word {
  const all = source.flatMap((text, at) => [text.trim(), ...[given[at] ?? []].flat()]);
  return all.filter((one) => one !== '').join(' ') as Word;
}

export function line(source: TemplateStringsArray, ...given: readonly Given[]): Line {
  return `  ${words(source, ...given)}` as Line;
}

export function section(source: TemplateStringsArray, ...given: readonly Given[]): Line {
  return words(source, ...given) as string as Line;
}

/** Joins sections with empty lines. */
export function configuration(sections: readonly (readonly Line[])[]): FileText {
  return sections.map((one) => `${one.join('\n')}\n`).join('\n') as FileText;
}

/** A list of certificate files. */
export function certificateList(names: readonly string[]): FileText {
  return names.map((one) => `${pathOf(one)}\n`).join('') as FileText;
}

/** Certificates and keys for OpenSSL. @throws UnquotableWordError */
export function pem(text: string): FileText {
  if (text.includes('\0')) throw new UnquotableWordError('a control character');
  return text as FileText;
}

/** The folder of the files, within the folder that HAProxy starts in. */
export const FILES = 'configuration';

/** The path of a file in the configuration. @throws UnquotableWordError for an invalid name */
export function pathOf(file: string): Word {
  if (!FILE.test(file)) throw new UnquotableWordError(`the file ${JSON.stringify(file)}`);
  return `${FILES}/${file}` as Word;
}
