/** Whether values are equal as templates compare them: `true` is 1, and maps have no order. */
import { isList, isMap, type Json } from '../json.js';

/** A text that is the same for equal values alone. */
export function comparable(value: Json): string {
  if (typeof value === 'boolean') {
    return value ? '1' : '0';
  }
  if (isList(value)) {
    return `[${value.map(comparable).join()}]`;
  }
  if (isMap(value)) {
    const entries = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${comparable(value[key] ?? null)}`);
    return `{${entries.join()}}`;
  }
  return JSON.stringify(value);
}

export function isSameValue(one: Json, other: Json): boolean {
  return comparable(one) === comparable(other);
}
