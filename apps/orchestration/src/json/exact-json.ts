/**
 * JSON that preserves numbers as they were written (`numbers.ts`).
 *
 * Always holds: a text with ordinary numbers alone is parsed and written by JavaScript's own JSON,
 * after one scan. Other numbers are passed through it as strings with a random prefix, known to this
 * process alone for the time of the call, so that no client's string is mistaken for one.
 */
import { randomUUID } from 'node:crypto';
import { endOfString } from '@cumulet/common/http/json-bounds';
import type { JsonCodec } from '@cumulet/common/service/tokens';
import { isFloat, isJsonNumber, jsonNumber, textOfNumber, type Numeric } from './numbers.js';

const MARK = `${randomUUID()}:`;

/** A number that may need preserving, with the characters before it; strings may contain the like. */
const UNUSUAL = /(^|[\s:,[])(-?(?:\d+\.0+|\d+(?:\.\d+)?[eE][-+]?\d+|\d[\d.]{15,}))(?=[\s,\]}]|$)/g;

const MARKED = new RegExp(`"${MARK}([^"]*)"`, 'g');

/** @throws SyntaxError */
export function parseExact(text: string): unknown {
  const marked = withMarks(text);
  if (marked === text) return JSON.parse(text) as unknown;
  try {
    return restored(JSON.parse(marked));
  } catch {
    // Syntax errors are reported for the original text.
    return JSON.parse(text) as unknown;
  }
}

/** As `JSON.stringify` without a replacer: undefined for a value that JSON lacks. */
export function stringifyExact(value: unknown): string {
  if (!holdsUnusual(value)) return JSON.stringify(value);
  const marked = JSON.stringify(value, (_key, one: unknown) =>
    isUnusual(one) ? MARK + textOfNumber(one) : one,
  );
  return marked.replace(MARKED, '$1');
}

export const EXACT_JSON: JsonCodec = { parse: parseExact, stringify: stringifyExact };

export function isUnusual(value: unknown): value is Exclude<Numeric, number> {
  return typeof value === 'bigint' || isFloat(value);
}

/**
 * Whether it contains a number that needs preserving. Called for every answer, so it allocates nothing.
 */
export function holdsUnusual(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  if (Array.isArray(value)) {
    for (const one of value) if (holdsUnusual(one)) return true;
    return false;
  }
  if (isFloat(value)) return true;
  for (const name in value)
    if (holdsUnusual((value as Readonly<Record<string, unknown>>)[name])) return true;
  return false;
}

function withMarks(text: string): string {
  const pieces: string[] = [];
  let copied = 0;
  /** The end of the last string and the start of the next; each is scanned once. */
  let [end, quote] = [-1, quoteFrom(text, 0)];
  for (const { 1: before = '', 2: written = '', index } of text.matchAll(UNUSUAL)) {
    const from = index + before.length;
    while (quote < from) {
      end = endOfString(text, quote);
      quote = quoteFrom(text, end + 1);
    }
    if (from < end || !isJsonNumber(written) || typeof jsonNumber(written) === 'number') continue;
    pieces.push(text.slice(copied, from), `"${MARK}${written}"`);
    copied = from + written.length;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied);
}

function quoteFrom(text: string, start: number): number {
  const found = text.indexOf('"', start);
  return found < 0 ? Infinity : found;
}

/** In place and iterative, for any depth. @throws SyntaxError for a number in the place of a name */
function restored(value: unknown): unknown {
  const whole: Record<string, unknown> = { '': value };
  const open = [whole];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [name, one] of Object.entries(next)) {
      if (name.startsWith(MARK)) throw new SyntaxError('a name is not a string');
      if (typeof one === 'object' && one !== null) open.push(one as Record<string, unknown>);
      if (typeof one !== 'string' || !one.startsWith(MARK)) continue;
      const written = one.slice(MARK.length);
      next[name] = jsonNumber(written) ?? written;
    }
  }
  return whole[''];
}
