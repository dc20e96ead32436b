/**
 * A property's value brought to its type, as Heat does: texts may stand for numbers and truth, and
 * numbers for texts.
 *
 * Always holds: nothing of a value is lost; what would be (3.7 for an integer) is refused.
 */
import { stringifyExact } from '../../json/exact-json.js';
import { isList, isMap, type Json } from '../../json/json.js';
import { numberOf, textOf } from '../../json/texts.js';
import { isInteger, wholeOf } from '../../json/numbers.js';
import type { PropertySchema } from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';

/**
 * @param value not null
 * @param path of the property, for the error
 * @throws PropertyError
 */
export function typedProperty(schema: PropertySchema, value: Json, path: string): Json {
  switch (schema.type) {
    case 'string':
      return stringOf(value, path);
    case 'integer': {
      const number = numberOf(value);
      const whole = number === undefined ? undefined : wholeOf(number);
      if (whole !== undefined) return whole;
      throw new PropertyError(path, `Value '${textOf(value)}' is not an integer`);
    }
    case 'number': {
      const number = numberOf(value);
      if (number !== undefined) return number;
      throw new PropertyError(path, `Value '${textOf(value)}' is not a number`);
    }
    case 'boolean':
      return truthOf(value, path);
    case 'map':
      return mapOf(schema, value, path);
    case 'list':
      return listOf(schema, value, path);
    case 'any':
      return value;
  }
}

function stringOf(value: Json, path: string): string {
  const isText = typeof value === 'string' || typeof value === 'boolean' || isInteger(value);
  if (isText) return textOf(value);
  throw new PropertyError(path, `Value must be a string; got ${textOf(value)}`);
}

/** Fewer words than a parameter may have. */
function truthOf(value: Json, path: string): boolean {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (word === 'true' || word === 'false') return word === 'true';
  throw new PropertyError(path, `"${textOf(value)}" is not a valid boolean`);
}

function mapOf({ converts }: PropertySchema, value: Json, path: string): Json {
  if (isMap(value)) return value;
  if (converts && typeof value === 'string') return value;
  if (converts && isList(value)) return stringifyExact(value);
  throw new PropertyError(path, `"${textOf(value)}" is not a map`);
}

function listOf({ converts }: PropertySchema, value: Json, path: string): Json {
  if (isList(value)) return value;
  if (converts && typeof value === 'string') return value === '' ? [] : value.split(',');
  throw new PropertyError(path, `"${textOf(value)}" is not a list`);
}
