/**
 * Words of HAProxy's configuration. Whatever a client chose goes through here, so that it stays one
 * word of one line. Public source: HAProxy Configuration Manual, "2.2. Quoting and escaping".
 */

import { BalancerRefusedError } from '../../data-plane/data-plane.js';

/** A value that no quoting makes one word: validation must have refused it before. */
export class UnspeakableWordError extends BalancerRefusedError {
  constructor(has: string) {
    super(`A value has ${has}, which HAProxy's configuration cannot express.`);
  }
}

const PLAIN = /^[A-Za-z0-9_.,:/@%+=-]+$/;
/** Of ASCII. The configuration is lines: nothing quotes an end of one. */
const CONTROL = /[^\P{Cc}\u0080-\u009f]/u;

/**
 * Between single quotes everything stands for itself, but for the quote.
 * @throws UnspeakableWordError for control characters
 */
export function word(value: string): string {
  if (CONTROL.test(value)) throw new UnspeakableWordError('a control character');
  return PLAIN.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * A sample fetch with an argument: `req.hdr("X-Tenant")`.
 * @throws UnspeakableWordError for an argument with quotes or backslashes, which end it
 */
export function fetchOf(name: string, argument: string, converters = ''): string {
  if (/["\\]/.test(argument)) throw new UnspeakableWordError('a quote or a backslash');
  return word(`${name}("${argument}")${converters}`);
}

/** An address with a port: `192.0.2.1:80`, `[2001:db8::1]:80`. */
export function endpoint(address: string, port: number): string {
  return word(`${bracketed(address)}:${port}`);
}

/** An address where a port could follow. */
export function host(address: string): string {
  return word(bracketed(address));
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** One line of a section: words by blanks, and those that are not given left out. */
export function line(...words: readonly (string | false | undefined)[]): string {
  return `  ${words.filter(Boolean).join(' ')}`;
}

/** Where the files of a configuration are, within the folder that HAProxy starts in. */
export const FILES = 'configuration';

/** How the configuration names one of its files. */
export function pathOf(name: string): string {
  return word(`${FILES}/${name}`);
}
