/**
 * The range of keys of a page, in the order of their bytes. A key is UTF-8, in which no byte
 * is 0xFF, so all that begins with a text sorts before that text and a 0xFF. Pure.
 */

/** Keys, and common prefixes in place of the keys that share one. */
export interface ListingPage {
  readonly prefix: string;
  /** A common prefix ends with its first occurrence after `prefix`; empty for none. */
  readonly delimiter: string;
  /** Only entries that sort after it; empty for all. */
  readonly after: string;
  /** Keys and common prefixes together. */
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

/** The lower bound of the page; after a key in a common prefix, that prefix is skipped. */
export function startOf({ prefix, delimiter, after }: ListingStart): Buffer {
  const first = Buffer.from(prefix);
  if (after === '') return first;
  const common = commonPrefixOf(after, { prefix, delimiter });
  const next = common === undefined ? [Buffer.from(after), NEXT] : [Buffer.from(common), AFTER_ALL];
  return later(first, Buffer.concat(next));
}

/** Whether the page may contain further versions of `after`. */
export function goesOnWithin(page: ListingStart): boolean {
  return startOf(page).equals(Buffer.concat([Buffer.from(page.after), NEXT]));
}

/** The exclusive upper bound of the page. */
export function endOf({ prefix }: Pick<ListingPage, 'prefix'>): Buffer {
  return Buffer.concat([Buffer.from(prefix), AFTER_ALL]);
}

function later(one: Buffer, other: Buffer): Buffer {
  return Buffer.compare(one, other) < 0 ? other : one;
}
