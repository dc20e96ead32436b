/** Paths into values, for `get_param` and `get_attr`. */
import { textOf } from '../../json/texts.js';
import { isList, isMap, ownOf, type Json } from '../../json/json.js';
import { isNumeric } from '../../json/numbers.js';

/** @returns undefined if the path leads nowhere */
export function valueAt(value: Json, path: readonly Json[]): Json | undefined {
  let found: Json | undefined = value;
  for (const key of path) {
    found = found === undefined ? undefined : partOf(found, key);
  }
  return found;
}

function partOf(value: Json, key: Json): Json | undefined {
  if (isMap(value))
    return typeof key === 'string' || isNumeric(key) ? ownOf(value, textOf(key)) : undefined;
  const index = indexOf(key);
  if (index === undefined) return undefined;
  return isList(value) || typeof value === 'string' ? value.at(index) : undefined;
}

/** An integer, also as text. */
export function indexOf(key: Json): number | undefined {
  if (typeof key === 'number') return Number.isSafeInteger(key) ? key : undefined;
  return typeof key === 'string' && /^\s*[-+]?[0-9]+\s*$/.test(key) ? Number(key) : undefined;
}
