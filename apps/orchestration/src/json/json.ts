/**
 * Values of templates.
 *
 * Always holds: keys are looked up with `ownOf`, because templates may use names such as `constructor`.
 */
import { isFloat, isNumeric, type Numeric } from './numbers.js';

/** A JSON value. Numbers beyond every double are texts. */
export type Json = string | Numeric | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** A map's own value, never one that it inherits from Object. */
export function ownOf<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

export function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isFloat(value);
}

/** Falsy values in Python: null, false, 0 and everything empty. */
export function isEmpty(value: Json): boolean {
  if (isFloat(value)) return Number(value) === 0;
  return typeof value === 'object' && value !== null ? Object.keys(value).length === 0 : !value;
}

/** The kind of a value for messages, such as `a list`. */
export function kindOf(value: Json): string {
  if (value === null) {
    return 'nothing';
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  if (isNumeric(value)) {
    return 'a number';
  }
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}
