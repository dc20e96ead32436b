/** Sets of bytes, as regular expressions of PCRE2 name them. Public source: PCRE2, "pcre2pattern". */

/** The bytes that a place of the subject may have, as bits. */
export type Bytes = bigint;

export const ALL = (1n << 256n) - 1n;
export const NEWLINE = bit(10);
const DIGITS = span('0', '9');
const WORD = span('a', 'z') | span('A', 'Z') | DIGITS | bit('_');
const SPACE = [9, 10, 11, 12, 13, 32].map(bit).reduce((all, one) => all | one);
const ALPHA = span('a', 'z') | span('A', 'Z');

/** Behind a backslash. */
export const CLASSES: Readonly<Record<string, Bytes>> = {
  d: DIGITS,
  D: ALL & ~DIGITS,
  w: WORD,
  W: ALL & ~WORD,
  s: SPACE,
  S: ALL & ~SPACE,
};

/** The same, of one byte each. */
export const CONTROLS: Readonly<Record<string, Bytes>> = {
  t: bit(9),
  n: bit(10),
  r: bit(13),
  f: bit(12),
};

/** As `[:name:]` has them. */
export const NAMED: Readonly<Record<string, Bytes>> = {
  alnum: ALPHA | DIGITS,
  alpha: ALPHA,
  blank: bit(9) | bit(32),
  digit: DIGITS,
  lower: span('a', 'z'),
  punct: span('!', '/') | span(':', '@') | span('[', '`') | span('{', '~'),
  space: SPACE,
  upper: span('A', 'Z'),
  word: WORD,
  xdigit: DIGITS | span('a', 'f') | span('A', 'F'),
};

/** @param char a character of ASCII, or its code */
export function bit(char: string | number): Bytes {
  return 1n << BigInt(typeof char === 'number' ? char : char.charCodeAt(0));
}

/** @param to inclusive */
export function span(from: string | number, to: string | number): Bytes {
  const [first, last] = [from, to].map((one) =>
    typeof one === 'number' ? one : one.charCodeAt(0),
  );
  return ((1n << BigInt((last ?? 0) + 1)) - 1n) & ~((1n << BigInt(first ?? 0)) - 1n);
}

/** @returns the only byte; -1 if there are several */
export function indexOf(bytes: Bytes): number {
  const at = bytes.toString(2).length - 1;
  return bytes === 1n << BigInt(at) ? at : -1;
}
