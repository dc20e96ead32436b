/**
 * Values as JSON within texts, in the form that Heat's templates have come to rely on: keys in order, a
 * space after each comma and colon, and nothing beyond ASCII.
 */
import { isList, isMap, type Json } from '../json.js';

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
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value);
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
