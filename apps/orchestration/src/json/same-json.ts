/** Whether values are the same to what is made by them, as in Heat: 1.0 is 1. */
import { isDeepStrictEqual } from 'node:util';
import { holdsUnusual, parseExact, stringifyExact } from './exact-json.js';
import { isList, isMap, type Json } from './json.js';
import { isNumeric, sameNumber } from './numbers.js';

/**
 * Beyond 2^53, an integer is the same as the text of its digits too: rows that were written before such
 * numbers were kept hold them so, and nothing is made anew for that.
 */
export function isSame(one: unknown, other: unknown): boolean {
  if (isDeepStrictEqual(one, other)) return true;
  if (!holdsUnusual(one) && !holdsUnusual(other)) return false;
  return isDeepStrictEqual(withSameNumbers(one), withSameNumbers(other));
}

/** The same once both have been written as JSON, which has nothing for what is undefined. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return isSame(parseExact(stringifyExact(one)), parseExact(stringifyExact(other)));
}

function withSameNumbers(value: unknown): unknown {
  if (isNumeric(value)) return sameNumber(value);
  if (isList(value)) return value.map(withSameNumbers);
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, withSameNumbers(one)]);
  return Object.fromEntries(entries) as unknown;
}

/**
 * Whether values are equal as templates compare them: `true` is 1, 1.0 is too, and maps have no order.
 *
 * A text that is the same for equal values alone.
 */
export function comparable(value: Json): string {
  if (typeof value === 'boolean') {
    return value ? '1' : '0';
  }
  if (isNumeric(value)) {
    return String(sameNumber(value));
  }
  if (isList(value)) {
    return `[${value.map(comparable).join()}]`;
  }
  if (isMap(value)) {
    const entries = Object.keys(value)
      .sort()
      .map((key) => `${stringifyExact(key)}:${comparable(value[key] ?? null)}`);
    return `{${entries.join()}}`;
  }
  return stringifyExact(value);
}

export function isSameValue(one: Json, other: Json): boolean {
  return comparable(one) === comparable(other);
}
