/**
 * Values of templates.
 *
 * Always holds: what a name stands for is asked with `ownOf`, as templates may call things `constructor`.
 */
import { isFloat, isNumeric, type Numeric } from './numbers.js';

/** A value as JSON has it. Numbers beyond every double are texts. */
export type Json = string | Numeric | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** What a map of a client's has at a key, never what every object of JavaScript has. */
export function ownOf<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

export function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isFloat(value);
}

/** What functions take for nothing: null, false, 0, and what is empty. */
export function isEmpty(value: Json): boolean {
  if (isFloat(value)) return Number(value) === 0;
  return typeof value === 'object' && value !== null ? Object.keys(value).length === 0 : !value;
}

/** The kind of a value, for messages: `a list`. */
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
