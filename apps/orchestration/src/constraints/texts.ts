/**
 * Values of JSON as texts of them, as Heat's clients see them: what is true is `True`.
 */
import type { Json } from '../template/json.js';

export function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return '';
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

const TRUE = new Set(['1', 't', 'true', 'on', 'y', 'yes']);
const FALSE = new Set(['0', 'f', 'false', 'off', 'n', 'no']);

/** All that OpenStack takes for true or false. @returns undefined for anything else */
export function booleanOf(value: Json): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim().toLowerCase();
  return TRUE.has(text) ? true : FALSE.has(text) ? false : undefined;
}

/**
 * A number, or the text of one that no double holds.
 * @returns undefined for what is no number
 */
export function numberOf(value: Json): number | string | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  return /^[+-]?\d+$/.test(text) && !Number.isSafeInteger(number) ? text : number;
}
