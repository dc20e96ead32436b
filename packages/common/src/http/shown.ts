/**
 * Answers as classes: `@Shown` describes a property once, for the OpenAPI document and for the view
 * that reads it from a row. A property `parent_region_id` is the row's `parentRegionId` unless
 * `from` says otherwise.
 */
import type { Type } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiProperty,
  getSchemaPath,
  type ApiPropertyOptions,
} from '@nestjs/swagger';
import type { Microversion } from '../context/microversion.js';
import { camelCase } from '../tables/names.js';
import { ADDITIONAL, type SchemaObject } from './openapi-schema.js';

type Primitive = typeof String | typeof Number | typeof Boolean | typeof Object;
/** A list is its members' shape in brackets; `'integer'` and `'date-time'` are as in OpenAPI. */
export type Shape = Primitive | 'integer' | 'date-time' | (() => Type) | readonly [Shape];

export interface ShownOptions<Row = never> {
  readonly nullable?: boolean;
  /** Whether it may be left out: when its value is undefined, or null without `nullable`. */
  readonly optional?: boolean;
  readonly enum?: readonly string[];
  /** Further keywords of its schema, such as `maxLength`. */
  readonly schema?: SchemaObject;
  readonly example?: unknown;
  /**
   * The first minor microversion that has it, and the last: 26 for 2.26. A property that changes
   * its shape is `@Shown` twice, with versions that do not overlap.
   */
  readonly since?: number;
  readonly until?: number;
  /** The major version of both; 2 by default. */
  readonly major?: number;
  /** The value; by default the row's property of the same name. */
  readonly from?: (row: Row, ctx: ViewContext) => unknown;
}

/** The inputs of a view besides its row. */
export interface ViewContext {
  readonly baseUrl: string;
  readonly fields: {
    readonly microversion?: Microversion | undefined;
    /** The caller's. */
    readonly projectId?: string | undefined;
  };
}

export interface ShownProperty {
  readonly name: string;
  readonly shape: Shape;
  readonly description: string;
  readonly options: ShownOptions;
}

const properties = new WeakMap<object, readonly ShownProperty[]>();

/** @param description a sentence for the document: its meaning, with its unit */
export function Shown<Row = never>(
  shape: Shape,
  description: string,
  options: ShownOptions<Row> = {},
): PropertyDecorator {
  return (prototype, key) => {
    const name = String(key);
    const own = [...(properties.get(prototype) ?? []), { name, shape, description, options }];
    properties.set(prototype, own);
    const shapes = own.filter((one) => one.name === name);
    const [only, ...others] = shapes;
    const schema =
      only && others.length === 0
        ? { ...schemaOf(only), required: isRequired(only) }
        : { oneOf: shapes.map((one) => alternativeOf(one, prototype)), required: false };
    ApiProperty(schema as ApiPropertyOptions)(prototype, key);
  };
}

/**
 * For an answer with properties besides those it declares.
 * @param shape of each of them; anything by default
 */
export function AdditionalProperties(shape?: typeof String): ClassDecorator {
  return ApiExtension(ADDITIONAL, shape ? { type: 'string' } : true);
}

/**
 * A class for an answer composed of others, such as `{"flavor": {…}}`.
 * @param properties each with its `Shown(…)`
 */
export function answerClass(
  name: string,
  properties: Readonly<Record<string, PropertyDecorator>>,
): Type<object> {
  class Answer {
    [property: string]: unknown;
  }
  Object.defineProperty(Answer, 'name', { value: name });
  for (const [property, shown] of Object.entries(properties)) shown(Answer.prototype, property);
  return Answer;
}

/** The `@Shown` properties of a class, inherited ones included. */
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
 * The view of a row, as its class declares. Dates are written by `date`; properties that are left out
 * are undefined.
 * @param view a class whose properties are `@Shown`
 */
export function viewOf<Row extends object, View extends object>(
  view: Type<View>,
  date?: (moment: Date) => string,
): (row: Row) => View {
  return viewIn({ baseUrl: '', fields: {} }, view, date);
}

/**
 * The same for a class with links or microversions. Leaves out what the request's microversion does
 * not have.
 */
export function viewIn<Row extends object, View extends object>(
  ctx: ViewContext,
  view: Type<View>,
  date: (moment: Date) => string = (moment) => moment.toISOString(),
): (row: Row) => View {
  const { readers, blank } = versionOf(view, ctx.fields.microversion?.minor ?? 1);
  return (row) => {
    const shown = { ...blank };
    for (const { name, isNullLeftOut, read } of readers) {
      const value = read(row as never, ctx);
      if (value === null && isNullLeftOut) shown[name] = undefined;
      else shown[name] = value instanceof Date ? date(value) : value;
    }
    return shown as View;
  };
}

interface Reader {
  readonly name: string;
  readonly isNullLeftOut: boolean;
  readonly read: (row: never, ctx: ViewContext) => unknown;
}

/** A class as one microversion has it. */
interface Version {
  readonly readers: readonly Reader[];
  /**
   * An object of these properties, to be copied. V8 turns one to which more than a dozen are added
   * one by one into a dictionary, which is slow to fill and to write as JSON.
   */
  readonly blank: Readonly<Record<string, unknown>>;
}

const knownVersions = new WeakMap<Type, Map<number, Version>>();

function versionOf(view: Type, minor: number): Version {
  const versions = knownVersions.get(view) ?? new Map<number, Version>();
  knownVersions.set(view, versions);
  const known = versions.get(minor);
  if (known) return known;
  const readers = shownProperties(view)
    .filter(({ options }) => isOfVersion(options, minor))
    .map(readerOf);
  const members = readers.map(({ name }) => `${JSON.stringify(name)}:null`);
  const blank = JSON.parse(`{${members.join(',')}}`) as Record<string, unknown>;
  versions.set(minor, { readers, blank });
  return { readers, blank };
}

function readerOf({ name, options }: ShownProperty): Reader {
  const key = camelCase(name);
  const { optional = false, nullable = false } = options;
  const read = options.from ?? ((row: Readonly<Record<string, unknown>>) => row[key]);
  return { name, isNullLeftOut: optional && !nullable, read };
}

function isOfVersion({ since, until }: ShownOptions, minor: number): boolean {
  return (since === undefined || since <= minor) && (until === undefined || minor <= until);
}

function isRequired({ options: { optional, since, until } }: ShownProperty): boolean {
  return optional !== true && since === undefined && until === undefined;
}

function schemaOf({ shape, description, options }: ShownProperty): SchemaObject {
  const { nullable, optional, since, until, major = 2, example, enum: words } = options;
  const versions = {
    ...(since === undefined ? {} : { 'min-ver': `${major}.${since}` }),
    ...(until === undefined ? {} : { 'max-ver': `${major}.${until}` }),
    ...(optional === true ? { optional } : {}),
  };
  return {
    ...shapeSchema(shape),
    ...options.schema,
    description,
    ...(nullable ? { nullable } : {}),
    ...(words ? { enum: [...words] } : {}),
    ...(example === undefined ? {} : { example }),
    ...(since === undefined && until === undefined ? {} : { 'x-openstack': versions }),
  };
}

/** Within `oneOf`, classes are named by reference, and the view registers them in the document. */
function alternativeOf(property: ShownProperty, view: object): object {
  const { shape } = property;
  const member = isList(shape) ? shape[0] : shape;
  if (!isClass(member)) return schemaOf(property);
  ApiExtraModels(member())(view.constructor);
  const reference = { $ref: getSchemaPath(member()) };
  const { type: _type, isArray: _isArray, ...rest } = schemaOf(property) as Record<string, unknown>;
  return isList(shape) ? { ...rest, type: 'array', items: reference } : { ...rest, ...reference };
}

/** OpenAPI recognises a function that returns a class by its name, `type`. */
function shapeSchema(shape: Shape): object {
  if (isList(shape)) {
    const [member] = shape;
    return isClass(member)
      ? { type: () => member(), isArray: true }
      : { type: 'array', items: shapeSchema(member) };
  }
  if (isClass(shape)) return { type: () => shape() };
  return inlineSchemas.get(shape) ?? {};
}

const inlineSchemas = new Map<Shape, object>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [Object, { type: 'object', additionalProperties: true }],
  ['integer', { type: 'integer' }],
  ['date-time', { type: 'string', format: 'date-time' }],
]);

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function isClass(shape: Shape): shape is () => Type {
  return typeof shape === 'function' && !inlineSchemas.has(shape);
}
