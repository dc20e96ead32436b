/**
 * Numbers as they were written: to Heat, `1.0` is another text than `1`, and integers have any
 * number of digits.
 *
 * Always holds: a number that JavaScript preserves is an ordinary one. A float without a fraction is a
 * boxed number, and an integer beyond 2^53 a bigint: threads can pass both, and arithmetic unboxes.
 */
import { types } from 'node:util';

declare const FLOAT: unique symbol;

/** A float without a fraction, such as `1.0` or `1e3`. */
export interface Float {
  readonly [FLOAT]: true;
  valueOf(): number;
}

export type Numeric = number | bigint | Float;

/** Python's limit too, because the cost of parsing grows faster than the length. */
const MAX_DIGITS = 4_300;

const JSON_INTEGER = /^-?\d+$/;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

export function isFloat(value: unknown): value is Float {
  return typeof value === 'object' && types.isNumberObject(value);
}

export function isNumeric(value: unknown): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint' || isFloat(value);
}

/** For a number with a point or an exponent. @returns undefined beyond every double */
export function floatOf(value: number): number | Float | undefined {
  if (!Number.isFinite(value)) return undefined;
  return Number.isInteger(value) ? (Object(value) as Float) : value;
}

/** @param digits after any `0x`, `0o` or `0b`. @returns undefined for too many */
export function integerOf(digits: string, isNegative = false): number | bigint | undefined {
  if (digits.length > MAX_DIGITS) return undefined;
  const value = Number(digits);
  if (Number.isSafeInteger(value)) return isNegative ? 0 - value : value;
  return isNegative ? -BigInt(digits) : BigInt(digits);
}

export function isJsonNumber(written: string): boolean {
  return JSON_NUMBER.test(written);
}

/** @returns undefined for a number beyond every double or with too many digits */
export function jsonNumber(written: string): Numeric | undefined {
  if (!JSON_INTEGER.test(written)) return floatOf(Number(written));
  const isNegative = written.startsWith('-');
  return integerOf(isNegative ? written.slice(1) : written, isNegative);
}

/** In Python's notation, for texts and JSON: `1.0`, `1e+16`, `1e-05`. */
export function textOfNumber(value: Numeric): string {
  if (isInteger(value)) return String(value);
  const float = Number(value);
  const [mantissa = '', exponent = ''] = float.toExponential().split('e');
  if (Number(exponent) < -4 || Number(exponent) >= 16)
    return `${mantissa}e${exponent.replace(/^[-+](?=\d$)/, '$&0')}`;
  const digits = Object.is(float, -0) ? '-0' : String(float);
  return Number.isInteger(float) ? `${digits}.0` : digits;
}

/** A key that equal numbers share: 1.0 is 1. Beyond 2^53, the digits of integers as a text. */
export function sameNumber(value: Numeric): number | string {
  const whole = wholeOf(value);
  return typeof whole === 'bigint' ? String(whole) : (whole ?? Number(value));
}

/** As an integer; undefined if it has a fraction. */
export function wholeOf(value: Numeric): number | bigint | undefined {
  if (typeof value === 'bigint') return value;
  const number = Number(value);
  return Number.isInteger(number) ? shortest(BigInt(number)) : undefined;
}

/** For comparisons, which JavaScript allows between both. */
export function ordinary(value: Numeric): number | bigint {
  return isFloat(value) ? Number(value) : value;
}

/** A float if either is one. @returns undefined beyond every double */
export function sumOf(one: Numeric, other: Numeric): Numeric | undefined {
  return isInteger(one) && isInteger(other)
    ? shortest(BigInt(one) + BigInt(other))
    : floatOf(Number(one) + Number(other));
}

export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

function shortest(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
