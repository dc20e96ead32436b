/**
 * Declares an attribute of a resource: its type, who may set and see it, its default, and whether
 * lists are filtered and sorted by it. Public source: neutron-lib, `api/definitions`, whose maps
 * describe Neutron's resources in the same way.
 */
import type { ColumnOptions } from 'typeorm';
import type { RequestContext } from '../context/request-context.js';
import type { SchemaObject } from '../http/openapi-schema.js';
import type { ShownOptions } from '../http/shown.js';
import { snakeCase } from '../tables/names.js';
import type { Condition } from '../tables/condition.js';
import type { ShownType, ValueType } from './value-type.js';

/** Who may set or see an attribute besides the owner. Each includes those before. */
export type Privilege =
  /** Administrators alone. */
  | 'admin'
  /** And managers of the project. */
  | 'manager'
  /** And sister services. */
  | 'service'
  /** And the owner of the parent resource. */
  | 'parent-owner';

export type Given = 'never' | 'at-creation' | 'after-creation' | 'always';

export interface AttributeOptions<T> {
  /** A sentence for the document. */
  readonly about: string;
  readonly example?: unknown;
  /** Must be given when the resource is created. */
  readonly required?: true;
  /** The default; without it, nothing is set. */
  readonly default?: T | Readonly<T>;
  /** When clients may set it: at creation and changes by default. */
  readonly given?: Given;
  /** The wire name; the key in snake case by default. */
  readonly wire?: string;
  /** The row's property, if it is not the key. */
  readonly property?: string;
  /** Its value as this caller sees it, if callers see it differently. */
  readonly forCaller?: (row: never, ctx: RequestContext) => unknown;
  /** Its value as clients see it, if it is not the row's property. */
  readonly from?: (row: never) => unknown;
  /** Whether lists can be filtered by it, by the property's value by default. */
  readonly filter?: false | ((values: readonly string[], ctx: RequestContext) => Condition);
  readonly sort?: false;
  /** Clients set it but never see it. */
  readonly isHidden?: true;
  readonly writers?: Privilege;
  readonly readers?: Privilege;
  /** Column options beyond those that follow from type and default. */
  readonly column?: ColumnOptions;
  /** SQL that computes it when the row is read, given the table's name. */
  readonly virtual?: (table: string) => string;
  /** Further keywords of its schema in answers, such as `maxLength`. */
  readonly schema?: SchemaObject;
  /** The microversions whose answers have it. */
  readonly versions?: Pick<ShownOptions, 'since' | 'until' | 'major'>;
}

export interface Attribute<
  T = unknown,
  Always extends boolean = boolean,
  Type extends ShownType = ValueType<T>,
> extends Omit<AttributeOptions<T>, 'wire' | 'property' | 'from'> {
  readonly type: Type;
  /** Whether every new resource has a value: the client's or the default. */
  readonly always: Always;
  readonly given: Given;
  readonly wire: string | undefined;
  readonly property: string | undefined;
  readonly from: ((row: never) => unknown) | undefined;
}

/** The values of a type. */
type TypeOf<Type> = Type extends ShownType<infer T> ? T : never;

/** Preserves the literal `required` of options. */
type RequiredOf<O> = Pick<O, Extract<keyof O, 'required'>>;

type Always<O> = O extends { readonly required: true } | { readonly default: unknown }
  ? true
  : false;

export function attribute<T, Type extends ShownType, const O extends AttributeOptions<NoInfer<T>>>(
  type: Type & ShownType<T>,
  options: O,
): Attribute<T, Always<O>, Type> & RequiredOf<O> {
  const always = options.required === true || options.default !== undefined;
  return {
    ...options,
    type,
    always: always as Always<O>,
    given: options.given ?? 'always',
    wire: options.wire,
    property: options.property,
    from: options.from,
  };
}

/** An attribute that only controls creation. */
export function givenOnly<T, Type extends ShownType, const O extends AttributeOptions<NoInfer<T>>>(
  type: Type & ShownType<T>,
  options: O,
): Attribute<T, Always<O>, Type> & RequiredOf<O> & Computed {
  const hidden = { given: 'at-creation', filter: false, sort: false, isHidden: true } as const;
  return { ...attribute<T, Type, O>(type, options), ...hidden, isComputed: true };
}

/** Whether clients may set it then. */
export function isGiven(
  { given }: Pick<Attribute, 'given'>,
  when: 'at-creation' | 'after-creation',
): boolean {
  return given === 'always' || given === when;
}

/** An attribute set by the service alone. */
export function shownOnly<Type extends ShownType>(
  type: Type,
  options: Omit<AttributeOptions<TypeOf<Type>>, 'given' | 'required' | 'default'>,
): Attribute<TypeOf<Type>, false, Type> & ShownOnly {
  const { wire, property, from } = options;
  return { ...options, type, always: false, given: 'never', wire, property, from };
}

/** An attribute computed from a row. */
export function computed<Type extends ShownType>(
  type: Type,
  options: Omit<
    AttributeOptions<TypeOf<Type>>,
    'given' | 'required' | 'default' | 'column' | 'virtual'
  >,
): Attribute<TypeOf<Type>, false, Type> & ShownOnly & Computed {
  return { ...shownOnly(type, options), isComputed: true };
}

/** An attribute stored in other columns of the row. */
export function keptElsewhere<A extends AnyAttribute>(attribute: A): A & Computed {
  return { ...attribute, isComputed: true };
}

/** An attribute that clients neither set nor see. */
export function withheld<A extends AnyAttribute>(attribute: A): A & ShownOnly {
  return { ...attribute, given: 'never', filter: false, sort: false, isHidden: true };
}

/** A column that clients neither set nor see. */
export function internal<Type extends ShownType>(
  type: Type,
  column: ColumnOptions = {},
): Attribute<TypeOf<Type>, false, Type> & ShownOnly {
  return withheld(shownOnly(type, { about: '', column }));
}

export interface ShownOnly {
  readonly given: 'never';
}

/** Without a column. */
export interface Computed {
  readonly isComputed: true;
}

export type Attributes = Readonly<Record<string, Attribute>>;

export type AnyAttribute = Attribute<unknown, boolean, ShownType>;
export type AnyAttributes = Readonly<Record<string, AnyAttribute>>;

/** The type of an attribute's values. */
export type Value<A> = A extends { readonly type: infer Type } ? TypeOf<Type> : never;
type HasAlways<A> = A extends { readonly always: true } ? true : false;

/** The attributes of a new resource, with defaults. */
export type NewBody<A extends object> = {
  readonly [K in keyof A as HasAlways<A[K]> extends true ? K : never]: Value<A[K]>;
} & {
  readonly [K in keyof A as HasAlways<A[K]> extends true ? never : K]?: Value<A[K]>;
};

/** The attributes in a change. */
export type ChangeBody<A extends object> = { readonly [K in keyof A]?: Value<A[K]> };

/** The columns of a resource's row. */
export type RowOf<A> = {
  -readonly [K in keyof A as A[K] extends Computed ? never : K]: Value<A[K]>;
};

/** An attribute with its wire name, and its key in declarations and bodies. */
export type NamedAttribute<A = Attribute> = readonly [wire: string, attribute: A, key: string];

/** The attributes of a declaration, in order. */
export function named<A extends Pick<AnyAttribute, 'wire'>>(
  attributes: Readonly<Record<string, A>>,
): readonly NamedAttribute<A>[] {
  return namesOf(attributes).list;
}

/** Whether one of them has that wire name. */
export function isNamed(attributes: AnyAttributes, wire: string): boolean {
  return namesOf(attributes).wires.has(wire);
}

interface Names<A> {
  readonly list: readonly NamedAttribute<A>[];
  readonly wires: ReadonlySet<string>;
}

/** Cached by declaration, since a request may have thousands of bodies. */
const known = new WeakMap<object, Names<never>>();

function namesOf<A extends Pick<AnyAttribute, 'wire'>>(
  attributes: Readonly<Record<string, A>>,
): Names<A> {
  const before = known.get(attributes) as Names<A> | undefined;
  if (before) return before;
  const list = Object.entries(attributes).map(([key, one]): NamedAttribute<A> => [
    one.wire ?? snakeCase(key),
    one,
    key,
  ]);
  const names = { list, wires: new Set(list.map(([wire]) => wire)) };
  known.set(attributes, names as unknown as Names<never>);
  return names;
}

/** The row's property that an attribute stands for. */
export function propertyOf([, { property }, key]: NamedAttribute<AnyAttribute>): string {
  return property ?? key;
}
