/** Reads the maps in which templates declare parameters. */
import { isMap, type Json, type JsonObject } from '../../json/json.js';
import { numberOf, textOf } from '../../json/texts.js';
import { textOfNumber, wholeOf, type Numeric } from '../../json/numbers.js';
import { InvalidSchemaError } from '../template.errors.js';

/** @throws InvalidSchemaError for what is no map, or has a key that is not known */
export function mappingOf(
  value: Json | undefined,
  known: readonly string[],
  entity: string,
): JsonObject {
  if (!isMap(value)) throw new InvalidSchemaError(`Invalid ${entity}, expected a mapping`);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new InvalidSchemaError(`Invalid key '${unknown}' for ${entity}`);
  return value;
}

/** Bounds and the like. @throws InvalidSchemaError */
export function numberAt(map: JsonObject, key: string, entity: string): Numeric | undefined {
  const value = map[key];
  if (value === undefined || value === null) return undefined;
  const number = numberOf(value);
  if (number !== undefined) return number;
  throw new InvalidSchemaError(`${key} of ${entity} must be numeric; ${textOf(value)} is not`);
}

/** Of bounds of lengths, and of steps. @throws InvalidSchemaError */
export function integerAt(map: JsonObject, key: string, entity: string): number | undefined {
  const number = numberAt(map, key, entity);
  if (number === undefined) return undefined;
  const whole = wholeOf(number);
  if (whole !== undefined) return Number(whole);
  throw new InvalidSchemaError(
    `${key} of ${entity} must be integer; ${textOfNumber(number)} is not`,
  );
}

/** @throws InvalidSchemaError unless there is one at least */
export function boundsOf<Bound extends Numeric>(
  min: Bound | undefined,
  max: Bound | undefined,
  kind: 'range' | 'length',
): { readonly min?: Bound; readonly max?: Bound } {
  if (min === undefined && max === undefined)
    throw new InvalidSchemaError(
      `A ${kind} constraint must have a min value and/or a max value specified.`,
    );
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

/** @throws InvalidSchemaError */
export function allowedOf(value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  throw new InvalidSchemaError('AllowedValues must be a list');
}

/** @throws InvalidSchemaError */
export function patternOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  throw new InvalidSchemaError('AllowedPattern must be a string');
}

/** Texts such as descriptions; YAML may have made numbers of them. */
export function textAt(map: JsonObject, key: string): string | undefined {
  const value = map[key];
  return value === undefined || value === null ? undefined : textOf(value);
}
