/** Texts of JSON values, as Heat's clients see them: true is `True`. */
import { stringifyExact } from './exact-json.js';
import { isList, isMap, type Json } from './json.js';
import { floatOf, integerOf, isNumeric, textOfNumber, type Numeric } from './numbers.js';

export function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return '';
  return isNumeric(value) ? textOfNumber(value) : stringifyExact(value);
}

const TRUE = new Set(['1', 't', 'true', 'on', 'y', 'yes']);
const FALSE = new Set(['0', 'f', 'false', 'off', 'n', 'no']);

/** All of OpenStack's spellings of true and false. @returns undefined for anything else */
export function booleanOf(value: Json): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' && !isNumeric(value)) return undefined;
  const text = textOf(value).trim().toLowerCase();
  return TRUE.has(text) ? true : FALSE.has(text) ? false : undefined;
}

/** A float with a point or exponent, as in Python. @returns undefined for other or long texts */
export function numberOf(value: Json): Numeric | undefined {
  if (isNumeric(value)) return value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  const [, sign, digits] = /^([-+]?)(\d+)$/.exec(text) ?? [];
  if (digits !== undefined) return integerOf(digits, sign === '-');
  const isFloat = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text);
  return isFloat ? floatOf(Number(text)) : undefined;
}

/** As Heat's templates expect: sorted keys, a space after commas and colons, ASCII only. */
export function jsonInText(value: Json): string {
  if (isList(value)) {
    return `[${value.map(jsonInText).join(', ')}]`;
  }
  if (isMap(value)) {
    const entries = Object.keys(value)
      .sort()
      .map((key) => `${quoted(key)}: ${jsonInText(value[key] ?? null)}`);
    return `{${entries.join(', ')}}`;
  }
  if (isNumeric(value)) {
    return textOfNumber(value);
  }
  return typeof value === 'string' ? quoted(value) : stringifyExact(value);
}

function quoted(text: string): string {
  return stringifyExact(text).replace(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
