/**
 * Derives the classes that TypeORM, Nest and OpenAPI need from a resource's attributes: its row,
 * the body of a new one, and answers. The service extends each to name it and to add what is not an
 * attribute.
 */
import type { Type } from '@nestjs/common';
import { Column, VirtualColumn, type ColumnOptions } from 'typeorm';
import { Shown } from '../http/shown.js';
import type { Expression } from '../tables/condition.js';
import { snakeCase } from '../tables/names.js';
import {
  isGiven,
  named,
  propertyOf,
  type AnyAttribute,
  type AnyAttributes,
  type NamedAttribute,
  type RowOf,
  type Value,
} from './attribute.js';
import type { FieldType } from './field-type.js';

type Base<T> = abstract new () => T;

/** A row with a column for each attribute that is not computed. @param base other columns */
export function rowOf<A extends AnyAttributes, B extends object = object>(
  attributes: A,
  base: Base<B> = Object as unknown as Base<B>,
): Base<B & RowOf<A>> {
  abstract class Row extends (base as Base<object>) {}
  for (const [key, attribute] of Object.entries<AnyAttribute>(attributes))
    if (!('isComputed' in attribute)) columnOf(key, attribute)(Row.prototype, key);
  return Row as unknown as Base<B & RowOf<A>>;
}

function columnOf(key: string, attribute: AnyAttribute): PropertyDecorator {
  const { type, virtual: query, column } = attribute;
  const { type: sql = 'text', ...options } = { ...type.column, ...column };
  if (query) return VirtualColumn(sql, { query });
  const name = snakeCase(key);
  return Column(sql as 'text', {
    ...(name === key ? {} : { name }),
    ...(type.nullable ? { nullable: true } : {}),
    ...options,
    ...(column && 'default' in column ? {} : defaultOf(attribute)),
  });
}

function defaultOf({ default: preset, type }: AnyAttribute): ColumnOptions {
  if (preset === undefined || preset === null) return {};
  return type.column?.type === 'jsonb'
    ? { default: () => `'${JSON.stringify(preset)}'` }
    : { default: preset };
}

/** Those that clients give are fields. */
export type FieldAttributes = Readonly<
  Record<string, AnyAttribute & ({ readonly given: 'never' } | { readonly type: FieldType })>
>;

interface BodyOptions {
  readonly nullIsNothing?: boolean;
  readonly base?: Type<object>;
}

/**
 * The body of a new resource, by wire names.
 * @param options.nullIsNothing whether null equals absence for optional fields
 * @param options.base its other fields
 */
export function bodyOf(
  attributes: FieldAttributes,
  { nullIsNothing = false, base = Object }: BodyOptions = {},
): Type<object> {
  class Body extends base {
    [wire: string]: unknown;
  }
  for (const [wire, { about, example, type, required = false }] of givenOf(attributes)) {
    const nullable = type.nullable || (nullIsNothing && !required);
    const shown = { description: about, ...(example === undefined ? {} : { example }) };
    const field = (type as FieldType).field({ optional: !required, nullable, ...shown });
    field(Body.prototype, wire);
  }
  return Body;
}

/** The columns of a new row, with the default or null for absent fields. */
export function columnsGiven<A extends FieldAttributes>(
  attributes: A,
  body: object,
): GivenColumns<A> {
  const given = body as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    givenOf(attributes).map(([wire, { default: preset, type }, key]) => [
      key,
      given[wire] ?? preset ?? (type.nullable ? null : undefined),
    ]),
  ) as GivenColumns<A>;
}

/** The attributes that clients may set, by wire name: the document that patches apply to. */
export function documentOf(attributes: AnyAttributes, row: object): Record<string, unknown> {
  const columns = row as Readonly<Record<string, unknown>>;
  return Object.fromEntries(givenOf(attributes).map(([wire, , key]) => [wire, columns[key]]));
}

export type GivenKey<A> = {
  [K in keyof A]: A[K] extends { readonly given: 'never' } ? never : K;
}[keyof A];

type IsSure<A> = A extends { readonly always: true } ? true : null extends Value<A> ? true : false;

/** Undefined where there is neither a default nor null. */
export type GivenColumns<A> = {
  readonly [K in keyof A as K extends GivenKey<A> ? K : never]: IsSure<A[K]> extends true
    ? Value<A[K]>
    : Value<A[K]> | undefined;
};

function givenOf<A extends AnyAttribute>(
  attributes: Readonly<Record<string, A>>,
): NamedAttribute<A>[] {
  return named(attributes).filter(([, one]) => isGiven(one, 'at-creation'));
}

/**
 * An answer with all of these attributes.
 * @param besides additional or overridden properties, each with its `Shown(…)`
 */
export function answerOf(
  attributes: AnyAttributes,
  besides: Readonly<Record<string, PropertyDecorator>> = {},
): Type<object> {
  class Answer {
    [wire: string]: unknown;
  }
  for (const one of named(attributes)) {
    const [wire, { about, example, type, from, schema, versions, isHidden }] = one;
    if (isHidden || Object.hasOwn(besides, wire)) continue;
    const property = propertyOf(one);
    Shown(type.shape, about, {
      ...versions,
      ...(type.isLeftOut ? { optional: true } : type.nullable ? { nullable: true } : {}),
      ...(type.values ? { enum: type.values as readonly string[] } : {}),
      ...(schema ? { schema } : {}),
      example,
      from: from ?? ((row: Readonly<Record<string, unknown>>) => row[property]),
    })(Answer.prototype, wire);
  }
  for (const [wire, shown] of Object.entries(besides)) shown(Answer.prototype, wire);
  return Answer;
}

/** Sort keys: wire names with their columns. */
export function sortKeysOf(attributes: AnyAttributes): Record<string, Expression> {
  return Object.fromEntries(
    named(attributes)
      .filter(([, { sort }]) => sort !== false)
      .map((one) => [one[0], propertyOf(one)]),
  );
}

/** Some of the attributes. */
export function pick<A extends AnyAttributes, const K extends keyof A & string>(
  attributes: A,
  keys: readonly K[],
): Pick<A, K> {
  return Object.fromEntries(keys.map((key) => [key, attributes[key]])) as unknown as Pick<A, K>;
}
