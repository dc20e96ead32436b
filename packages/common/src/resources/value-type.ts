/**
 * Types of attributes: values are read from a body or a query, and refused in Neutron's words.
 * Public source: neutron-lib, `api/validators` and `api/converters`.
 */
import type { ColumnOptions } from 'typeorm';
import { isUuid } from '../context/ids.js';
import { isStorable } from '../database/storable.js';
import type { SchemaObject } from '../http/openapi-schema.js';
import type { Shape } from '../http/shown.js';

/** Why a value is refused; the reader of the body adds the attribute's name. */
export class Refusal extends Error {}

/** How a value is shown and stored. */
export interface ShownType<T = unknown> {
  readonly shape: Shape;
  readonly nullable: boolean;
  /** Omitted from answers if null. */
  readonly isLeftOut?: true;
  /** All values, of an enumeration. */
  readonly values?: readonly (string | number)[];
  readonly column?: ColumnOptions;
  /** For the compiler alone: the type that rows and bodies have. */
  readonly typed?: T;
}

export interface ValueType<T = unknown> extends ShownType<T> {
  /** The schema in bodies, if more precise than the shape. */
  readonly schema?: SchemaObject;
  /**
   * @param path of the value in the body: `listeners[0].name`
   * @throws Refusal with the reason
   */
  readonly read: (value: unknown, path?: string) => T;
  /** A filter's text as a column value; undefined if no row can match. */
  readonly fromText: (text: string) => unknown;
}

export function valueType<T>(
  shape: Shape,
  read: ValueType<T>['read'],
  fromText: (text: string) => unknown = (given) => given,
): ValueType<T> {
  const column = COLUMNS.get(shape) ?? { type: 'jsonb' };
  return { shape, nullable: false, column, read, fromText };
}

/** Default columns by shape; objects and lists are JSON. */
const COLUMNS = new Map<Shape, ColumnOptions>([
  [String, { type: 'text' }],
  [Boolean, { type: 'boolean' }],
  ['integer', { type: 'integer' }],
  // As precise as a Date: lists page by it.
  ['date-time', { type: 'timestamptz', precision: 3 }],
]);

/** @param max characters */
export function text<T extends string = string>(max = 255): ValueType<T> {
  return valueType(String, (value) => {
    if (typeof value !== 'string' || !isStorable(value))
      throw new Refusal(`'${shortened(value)}' is not a valid string`);
    if (value.length > max)
      throw new Refusal(`'${shortened(value)}' exceeds maximum length of ${max}`);
    return value as T;
  });
}

const TRUE = ['true', '1'];
const FALSE = ['false', '0'];

export const flag: ValueType<boolean> = valueType(Boolean, readFlag, readFlag);

function readFlag(value: unknown): boolean {
  const isWord = ['string', 'number', 'boolean'].includes(typeof value);
  const word = isWord ? String(value).toLowerCase() : '';
  if (TRUE.includes(word)) return true;
  if (FALSE.includes(word)) return false;
  throw new Refusal(`'${shortened(value)}' cannot be converted to boolean`);
}

export function integer(min: number, max: number): ValueType<number> {
  const read = (value: unknown): number => {
    const given = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof given !== 'number' || !Number.isInteger(given))
      throw new Refusal(`'${shortened(value)}' is not an integer`);
    if (given < min) throw new Refusal(`'${given}' is too small - must be at least '${min}'`);
    if (given > max) throw new Refusal(`'${given}' is too large - must be no larger than '${max}'`);
    return given;
  };
  return valueType('integer', read, read);
}

export const uuid: ValueType<string> = {
  ...valueType(
    String,
    (value) => {
      if (!isUuid(value)) throw new Refusal(`'${shortened(value)}' is not a valid UUID`);
      return value;
    },
    (given) => (isUuid(given) ? given : undefined),
  ),
  column: { type: 'uuid' },
};

export function oneOf<const T extends string | number>(values: readonly T[]): ValueType<T> {
  const find = (text: string): T | undefined => values.find((one) => String(one) === text);
  const read = (value: unknown): T => {
    const isWord = typeof value === 'string' || typeof value === 'number';
    const found = isWord ? find(String(value)) : undefined;
    if (found === undefined)
      throw new Refusal(`'${shortened(value)}' is not in ${JSON.stringify(values)}`);
    return found;
  };
  return { ...valueType(typeof values[0] === 'number' ? 'integer' : String, read, find), values };
}

export function orNull<T>(type: ValueType<T>): ValueType<T | null> {
  const read = (value: unknown, path?: string): T | null =>
    value === null ? null : type.read(value, path);
  return { ...type, nullable: true, read };
}

/** Null counts as the empty list. */
export function listOf<T>(type: ValueType<T>, max = 1000): ValueType<T[]> {
  const list = valueType([type.shape], (value, path = '') => {
    if (value === null) return [];
    if (!Array.isArray(value)) throw new Refusal(`'${shortened(value)}' is not a list`);
    if (value.length > max) throw new Refusal(`the list has more than ${max} items`);
    return value.map((one, at) => type.read(one, `${path}[${at}]`));
  });
  return type.schema ? { ...list, schema: { type: 'array', items: type.schema } } : list;
}

export function setOf<T>(type: ValueType<T>, max?: number): ValueType<T[]> {
  const list = listOf(type, max);
  const read = (value: unknown, path?: string): T[] => {
    const items = list.read(value, path);
    const seen = new Set<string>();
    for (const one of items) {
      const text = JSON.stringify(one);
      if (seen.has(text)) throw new Refusal(`'${shortened(one)}' is given twice`);
      seen.add(text);
    }
    return items;
  };
  return { ...list, read };
}

type Fields<T> = { readonly [K in keyof T]: ValueType<T[K]> };

/** An object with exactly these keys, of which some may be optional. */
export function objectOf<T extends object>(
  fields: Fields<T>,
  optional: readonly (keyof T & string)[] = [],
): ValueType<T> {
  return valueType(Object, (value, path = '') => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Refusal(`'${shortened(value)}' is not a dictionary`);
    const given = value as Readonly<Record<string, unknown>>;
    const names = Object.keys(fields) as (keyof T & string)[];
    const odd = Object.keys(given).find((name) => !Object.hasOwn(fields, name));
    const missing = names.find((name) => given[name] === undefined && !optional.includes(name));
    if (odd !== undefined || missing !== undefined) {
      const fault = odd === undefined ? `lacks ${missing ?? ''}` : `has the unknown key '${odd}'`;
      throw new Refusal(`'${shortened(value)}' ${fault}`);
    }
    const read = names
      .filter((name) => given[name] !== undefined)
      .map((name) => [name, fields[name].read(given[name], `${path}.${name}`)]);
    return Object.fromEntries(read) as T;
  });
}

/** A time, to filter by. */
export const moment: ValueType<Date> = valueType('date-time', refuseToSet, (given) => {
  const time = new Date(given);
  if (Number.isNaN(time.getTime())) throw new Refusal(`'${shortened(given)}' is not a time`);
  return time;
});

/** Objects or lists that only the service sets. */
export function json<T>(shape: Shape = Object): ValueType<T> {
  return valueType<T>(shape, refuseToSet);
}

function refuseToSet(): never {
  throw new Refusal('it is not for clients to set');
}

/** A client's value, shortened to a line for messages. */
export function shortened(value: unknown): string {
  const whole = typeof value === 'string' ? value : (JSON.stringify(value) as string | undefined);
  return (whole ?? 'None').slice(0, 300);
}
