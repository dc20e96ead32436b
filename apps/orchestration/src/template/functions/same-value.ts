/** Whether values are equal as templates compare them: `true` is 1, 1.0 is too, and maps have no order. */
import { stringifyExact } from '../../json/exact-json.js';
import { isList, isMap, type Json } from '../../json/json.js';
import { isNumeric, sameNumber } from '../../json/numbers.js';

/** A text that is the same for equal values alone. */
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
