/**
 * Answers as classes: `@Shown` says once what a property is, for the OpenAPI document and for the
 * view that takes it from a row. A property `parent_region_id` is the row's `parentRegionId` unless
 * `from` says otherwise.
 */
import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';

type Primitive = typeof String | typeof Number | typeof Boolean | typeof Object;
/** A list is the shape of its members in brackets; `'integer'` and `'date-time'` are what they say. */
export type Shape = Primitive | 'integer' | 'date-time' | (() => Type) | readonly [Shape];

export interface ShownOptions<Row = never> {
  readonly nullable?: boolean;
  /** Whether it is left out at times: where its value is undefined. */
  readonly optional?: boolean;
  readonly enum?: readonly string[];
  readonly example?: unknown;
  /** The first minor microversion that has it, and the last: 26 of 2.26. */
  readonly since?: number;
  readonly until?: number;
  /** Its value, where that is not the row's property of the same name. */
  readonly from?: (row: Row) => unknown;
}

interface ShownProperty {
  readonly name: string;
  readonly shape: Shape;
  readonly options: ShownOptions;
}

const properties = new WeakMap<object, readonly ShownProperty[]>();

/**
 * @param description a sentence for the document: what it means, with its unit
 */
export function Shown<Row = never>(
  shape: Shape,
  description: string,
  options: ShownOptions<Row> = {},
): PropertyDecorator {
  return (prototype, key) => {
    const name = String(key);
    const own = properties.get(prototype) ?? [];
    properties.set(prototype, [...own, { name, shape, options }]);
    const { nullable, optional, since, until, example, enum: words } = options;
    const versions = {
      ...(since === undefined ? {} : { 'min-ver': `2.${since}` }),
      ...(until === undefined ? {} : { 'max-ver': `2.${until}` }),
    };
    ApiProperty({
      ...schemaOf(shape),
      description,
      required: optional !== true && Object.keys(versions).length === 0,
      ...(nullable ? { nullable } : {}),
      ...(words ? { enum: [...words] } : {}),
      ...(example === undefined ? {} : { example }),
      ...(Object.keys(versions).length === 0 ? {} : { 'x-openstack': versions }),
    })(prototype, key);
  };
}

/** What `@Shown` has said of a class and of those that it extends. */
export function shownProperties(view: Type): readonly ShownProperty[] {
  const chain: ShownProperty[] = [];
  for (
    let prototype = view.prototype as object | null;
    prototype && prototype !== Object.prototype;
    prototype = Object.getPrototypeOf(prototype) as object | null
  )
    chain.unshift(...(properties.get(prototype) ?? []));
  return chain;
}

/**
 * The view of a row, as its class says. Dates come out as `date` writes them.
 * @param view a class whose properties are `@Shown`
 */
export function viewOf<Row extends object, View extends object>(
  view: Type<View>,
  date: (moment: Date) => string = (moment) => moment.toISOString(),
): (row: Row) => View {
  const readers = shownProperties(view).map(({ name, options: { from } }) => {
    const key = camelCase(name);
    const read = from ?? ((row: Record<string, unknown>) => row[key]);
    return [name, read as (row: Row) => unknown] as const;
  });
  return (row) => {
    const shown: Record<string, unknown> = {};
    for (const [name, read] of readers) {
      const value = read(row);
      if (value !== undefined) shown[name] = value instanceof Date ? date(value) : value;
    }
    return shown as View;
  };
}

/** `parent_region_id` is `parentRegionId`. */
export function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function schemaOf(shape: Shape): object {
  if (shape === 'integer') return { type: 'integer' };
  if (shape === 'date-time') return { type: String, format: 'date-time' };
  if (shape === Object) return { type: 'object', additionalProperties: true };
  if (isList(shape)) {
    const item = schemaOf(shape[0]) as { readonly type: unknown };
    return { ...item, isArray: true };
  }
  return { type: shape };
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}
