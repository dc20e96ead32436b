/**
 * Values as JSON within texts, in the form that Heat's templates have come to rely on: keys in order, a
 * space after each comma and colon, and nothing beyond ASCII.
 */
import { stringifyExact } from '../../json/exact-json.js';
import { isList, isMap, type Json } from '../../json/json.js';
import { isNumeric, textOfNumber } from '../../json/numbers.js';

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
