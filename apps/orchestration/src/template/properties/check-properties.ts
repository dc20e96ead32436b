/**
 * Checks properties against their schemata, even if parts of them depend on resources: these parts are
 * skipped, and everything around them is checked.
 *
 * Always holds: the result has every property, null without a value or default; the values of older
 * names move to the newer ones.
 */
import {
  customFault,
  faultOf,
  type ConstraintQuestion,
} from '../../constraints/constraint-check.js';
import type {
  Constraint,
  Properties,
  PropertySchema,
  PropertySchemas,
} from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import { stringifyExact } from '../../json/exact-json.js';
import { isList, isMap, ownOf, type Json } from '../../json/json.js';
import { isInteger, wholeOf } from '../../json/numbers.js';
import { numberOf, textOf } from '../../json/texts.js';
import type { Expression } from '../expression.js';

export interface CheckedProperties {
  /** Null for values that depend on resources. */
  readonly properties: Properties;
  readonly isWhole: boolean;
}

/** The value of a call that waits for resources. */
const UNKNOWN = Symbol('unknown');

type Known = Json | typeof UNKNOWN;

export class PropertyChecks {
  readonly #questions: ConstraintQuestion[];
  #isWhole = true;

  /** @param questions receives those for services, with paths below the properties */
  constructor(questions: ConstraintQuestion[] = []) {
    this.#questions = questions;
  }

  /** @throws PropertyError for the first fault */
  check(schemas: PropertySchemas, given: Expression): CheckedProperties {
    const empty: Expression = { kind: 'map', entries: {} };
    const isNone = given.kind === 'value' && given.value === null;
    const value = this.#map(schemas, isNone ? empty : given, '');
    return { properties: value === UNKNOWN ? {} : (value as Properties), isWhole: this.#isWhole };
  }

  #map(schemas: PropertySchemas, given: Expression, path: string): Known {
    const entries = entriesOf(given);
    if (entries === undefined) return this.#unknown();
    if (entries === null) throw new PropertyError(path, 'It is not a map');
    const unknown = Object.keys(entries).find((name) => ownOf(schemas, name) === undefined);
    if (unknown !== undefined) throw new PropertyError(path, `Unknown Property ${unknown}`);
    const current = underNewNames(schemas, entries, path);
    const checked = Object.entries(schemas).map(([name, schema]): [string, Json] => {
      const value = this.#property(name, schema, current.get(name), path);
      return [name, value === UNKNOWN ? null : value];
    });
    return Object.fromEntries(checked);
  }

  #property(
    name: string,
    schema: PropertySchema,
    given: Expression | undefined,
    path: string,
  ): Known {
    const at = path === '' ? name : `${path}.${name}`;
    const fallback = schema.default ?? null;
    const isGiven = given !== undefined && !(given.kind === 'value' && given.value === null);
    if (isGiven && schema.notOffered !== undefined && !isEmptyList(given))
      throw new PropertyError(at, `Property ${name} is not offered: ${schema.notOffered}.`);
    if (isGiven) return this.#value(schema, given, at);
    if (fallback !== null) return this.#value(schema, { kind: 'value', value: fallback }, at);
    if (schema.required) throw new PropertyError(path, `Property ${name} not assigned`);
    return null;
  }

  #value(schema: PropertySchema, given: Expression, path: string): Known {
    const plain = this.#plain(schema, given, path);
    if (plain === UNKNOWN || plain === null) return plain;
    for (const constraint of schema.constraints ?? [])
      this.#constrain(constraint, schema, plain, path);
    return plain;
  }

  #plain(schema: PropertySchema, given: Expression, path: string): Known {
    if (given.kind === 'call') return this.#unknown();
    if (given.kind === 'value' && given.value === null) return null;
    if (schema.schema && schema.type === 'map' && entriesOf(given))
      return this.#map(schema.schema, given, path);
    if (schema.schema && schema.type === 'list' && itemsOf(given))
      return this.#list(schema.schema, itemsOf(given) ?? [], path);
    return typedProperty(schema, this.#json(given), path);
  }

  #list(schemas: PropertySchemas, items: readonly Expression[], path: string): Json {
    const item = schemas['*'];
    return items.map((one, at) => {
      const value = item ? this.#value(item, one, `${path}[${at}]`) : this.#json(one);
      return value === UNKNOWN ? null : value;
    });
  }

  #constrain(constraint: Constraint, schema: PropertySchema, value: Json, path: string): void {
    const fault =
      constraint.kind === 'custom'
        ? customFault(constraint, { value, path }, this.#questions)
        : faultOf(constraint, value, schema.type);
    if (fault !== undefined) throw new PropertyError(path, fault);
  }

  /** The known parts, with null for the rest. */
  #json(given: Expression): Json {
    switch (given.kind) {
      case 'value':
        return given.value;
      case 'list':
        return given.items.map((item) => this.#json(item));
      case 'map': {
        const entries = Object.entries(given.entries);
        return Object.fromEntries(entries.map(([key, value]) => [key, this.#json(value)]));
      }
      case 'call':
        this.#unknown();
        return null;
    }
  }

  #unknown(): typeof UNKNOWN {
    this.#isWhole = false;
    return UNKNOWN;
  }
}

/** @returns undefined for an unknown value, null for anything but a map */
function entriesOf(given: Expression): Readonly<Record<string, Expression>> | null | undefined {
  if (given.kind === 'call') return undefined;
  if (given.kind === 'map') return given.entries;
  if (given.kind === 'list' || !isMap(given.value)) return null;
  const entries = Object.entries(given.value).map(([key, value]) => [
    key,
    { kind: 'value', value },
  ]);
  return Object.fromEntries(entries) as Readonly<Record<string, Expression>>;
}

function itemsOf(given: Expression): readonly Expression[] | undefined {
  if (given.kind === 'list') return given.items;
  if (given.kind !== 'value' || !isList(given.value)) return undefined;
  return given.value.map((value) => ({ kind: 'value', value }));
}

/** Moves the values of older names to the newer ones. */
function underNewNames(
  schemas: PropertySchemas,
  entries: Readonly<Record<string, Expression>>,
  path: string,
): ReadonlyMap<string, Expression> {
  const current = new Map(Object.entries(entries));
  for (const [name, { translation }] of Object.entries(schemas)) {
    const newer = translation?.replacedBy;
    const given = current.get(name);
    if (newer === undefined || given === undefined || isNull(given)) continue;
    const other = current.get(newer);
    if (other !== undefined && !isNull(other))
      throw new PropertyError(
        path,
        `Cannot define the following properties at the same time: ${newer}, ${name}`,
      );
    current.set(newer, given);
    current.delete(name);
  }
  return current;
}

function isNull(given: Expression): boolean {
  return given.kind === 'value' && given.value === null;
}

function isEmptyList(given: Expression): boolean {
  const items = given.kind === 'list' ? given.items : given.kind === 'value' ? given.value : null;
  return Array.isArray(items) && items.length === 0;
}

/**
 * Converts a property's value to its type as Heat does: texts to numbers and booleans, numbers to
 * texts.
 *
 * Always holds: a conversion loses nothing; one that would (3.7 to an integer) is refused.
 *
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

/** Accepts fewer spellings than a parameter. */
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

/**
 * The complete properties for a type, with defaults and converted values. Custom constraints of
 * services are not checked: `resolveNames` finds what is named, and services refuse the rest.
 *
 * @param given a map; null is an empty one
 * @throws PropertyError
 */
export function resolveProperties(schemas: PropertySchemas, given: Json): Properties {
  return new PropertyChecks().check(schemas, { kind: 'value', value: given }).properties;
}
