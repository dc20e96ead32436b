/**
 * Values of JSON as texts of them, as Heat's clients see them: what is true is `True`.
 */
import { stringifyExact } from './exact-json.js';
import type { Json } from './json.js';
import { floatOf, integerOf, isNumeric, textOfNumber, type Numeric } from './numbers.js';

export function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return '';
  return isNumeric(value) ? textOfNumber(value) : stringifyExact(value);
}

const TRUE = new Set(['1', 't', 'true', 'on', 'y', 'yes']);
const FALSE = new Set(['0', 'f', 'false', 'off', 'n', 'no']);

/** All that OpenStack takes for true or false. @returns undefined for anything else */
export function booleanOf(value: Json): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' && !isNumeric(value)) return undefined;
  const text = textOf(value).trim().toLowerCase();
  return TRUE.has(text) ? true : FALSE.has(text) ? false : undefined;
}

/**
 * A number, or that of a text: with a point or an exponent it is a float, as in Python.
 * @returns undefined for what is no number, or none that is read
 */
export function numberOf(value: Json): Numeric | undefined {
  if (isNumeric(value)) return value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  const [, sign, digits] = /^([-+]?)(\d+)$/.exec(text) ?? [];
  if (digits !== undefined) return integerOf(digits, sign === '-');
  const isFloat = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text);
  return isFloat ? floatOf(Number(text)) : undefined;
}
