/**
 * A parameter's value, which clients give as text or as JSON, brought to its type. Public source: Heat
 * template guide, "Parameters section".
 */
import { parseExact } from '../../json/exact-json.js';
import type { Json } from '../../json/json.js';
import { booleanOf, numberOf, textOf } from '../../json/texts.js';
import type { ReadParameter } from '../read-template.js';

export type TypedValue = { readonly value: Json } | { readonly fault: string };

/**
 * @param given not null
 * @param isSecret whether the fault leaves the value out
 */
export function typedValue(
  type: ReadParameter['type'],
  given: Json,
  isSecret: boolean,
): TypedValue {
  const shown = isSecret ? '******' : textOf(given);
  switch (type) {
    case 'String':
      return { value: textOf(given) };
    case 'Number': {
      const value = numberOf(given);
      return value === undefined ? { fault: `'${shown}' is not a number` } : { value };
    }
    case 'Boolean': {
      const value = booleanOf(given);
      return value === undefined
        ? { fault: `Unrecognized value '${shown}', acceptable values are: true, false` }
        : { value };
    }
    case 'CommaDelimitedList':
      return listOf(given, shown);
    case 'Json':
      return jsonOf(given);
  }
}

function listOf(given: Json, shown: string): TypedValue {
  if (Array.isArray(given)) return { value: (given as readonly Json[]).map(textOf) };
  if (given === '') return { value: [] };
  return typeof given === 'string'
    ? { value: given.split(',') }
    : { fault: `Value must be a comma-delimited list string: ${shown}` };
}

/** The reason never quotes the value: parts of a text that is no JSON may be secret too. */
function jsonOf(given: Json): TypedValue {
  if (typeof given !== 'string' || given === '') return { value: given };
  try {
    return { value: parseExact(given) as Json };
  } catch (error) {
    const at = /at position \d+/.exec(String(error))?.[0] ?? 'at its end';
    return { fault: `Value must be valid JSON: it is not ${at}` };
  }
}
