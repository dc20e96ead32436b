/** Whether a resource made from either value is the same, as in Heat: 1.0 is 1. */
import { isDeepStrictEqual } from 'node:util';
import { holdsUnusual, parseExact, stringifyExact } from './exact-json.js';
import { isList, isMap, type Json } from './json.js';
import { isNumeric, sameNumber } from './numbers.js';

/** Older rows store integers beyond 2^53 as texts, which must not replace their resources. */
export function isSame(one: unknown, other: unknown): boolean {
  if (isDeepStrictEqual(one, other)) return true;
  if (!holdsUnusual(one) && !holdsUnusual(other)) return false;
  return isDeepStrictEqual(withSameNumbers(one), withSameNumbers(other));
}

/** Compares the values as JSON, which drops undefined. */
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

/** A text that values share if templates consider them equal: `true`, 1 and 1.0 are. */
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
