/**
 * Which keys a page may have: a range in the order of their bytes. A key is UTF-8, in which no byte
 * is 0xFF, so all that begins with a text sorts before that text and a 0xFF. Pure.
 */

/** What is listed: keys, and instead of all that have the same one, common prefixes. */
export interface ListingPage {
  /** Only keys that begin with it. */
  readonly prefix: string;
  /** A common prefix ends with the first of it behind `prefix`; empty for none. */
  readonly delimiter: string;
  /** Only what sorts behind it; empty for all. */
  readonly after: string;
  /** How many keys and common prefixes. */
  readonly limit: number;
}

export type ListingStart = Pick<ListingPage, 'prefix' | 'delimiter' | 'after'>;

const AFTER_ALL = Buffer.from([0xff]);
const NEXT = Buffer.from([0]);

/** @returns undefined for a key that is listed itself */
export function commonPrefixOf(
  key: string,
  { prefix, delimiter }: Pick<ListingPage, 'prefix' | 'delimiter'>,
): string | undefined {
  if (delimiter === '' || !key.startsWith(prefix)) return undefined;
  const at = key.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + delimiter.length);
}

/** The least that the page may have: of a page after a key in a common prefix, nothing of that. */
export function startOf({ prefix, delimiter, after }: ListingStart): Buffer {
  const first = Buffer.from(prefix);
  if (after === '') return first;
  const common = commonPrefixOf(after, { prefix, delimiter });
  const next = common === undefined ? [Buffer.from(after), NEXT] : [Buffer.from(common), AFTER_ALL];
  return later(first, Buffer.concat(next));
}

/** Whether the page may have what sorts right behind `after`: versions of that key. */
export function goesOnWithin(page: ListingStart): boolean {
  return startOf(page).equals(Buffer.concat([Buffer.from(page.after), NEXT]));
}

/** All that the page may have is less. */
export function endOf({ prefix }: Pick<ListingPage, 'prefix'>): Buffer {
  return Buffer.concat([Buffer.from(prefix), AFTER_ALL]);
}

function later(one: Buffer, other: Buffer): Buffer {
  return Buffer.compare(one, other) < 0 ? other : one;
}
