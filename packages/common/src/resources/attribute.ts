/**
 * An attribute of a resource, declared once: its value, who may set and see it, what its default
 * is, and whether lists go by it. Public source: neutron-lib, `api/definitions`, whose maps say the
 * same of Neutron's resources.
 */
import type { ColumnOptions } from 'typeorm';
import type { RequestContext } from '../context/request-context.js';
import type { SchemaObject } from '../http/openapi-schema.js';
import type { ShownOptions } from '../http/shown.js';
import { snakeCase } from '../tables/names.js';
import type { Condition } from '../tables/condition.js';
import type { ShownType, ValueType } from './value-type.js';

/** Who may set, or see, an attribute besides the resource's owner. Each includes those before. */
export type Privilege =
  /** Administrators alone. */
  | 'admin'
  /** And managers of the project. */
  | 'manager'
  /** And sister services. */
  | 'service'
  /** And the owner of what the resource is a part of, or is on. */
  | 'parent-owner';

export type Given = 'never' | 'at-creation' | 'after-creation' | 'always';

export interface AttributeOptions<T> {
  /** A sentence for the document. */
  readonly about: string;
  readonly example?: unknown;
  /** Must be given when the resource is created. */
  readonly required?: true;
  /** What a new resource has unless the client says; without it, nothing is set. */
  readonly default?: T | Readonly<T>;
  /** When clients may give it; both by default. */
  readonly given?: Given;
  /** What clients call it; the key in snake case by default. */
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
  /** Clients give it, and never see it. */
  readonly isHidden?: true;
  readonly writers?: Privilege;
  readonly readers?: Privilege;
  /** What its column has beside what follows from its type and its default. */
  readonly column?: ColumnOptions;
  /** Computed whenever the row is read, by this SQL about the table of that name. */
  readonly virtual?: (table: string) => string;
  /** Further keywords of its schema in answers, such as `maxLength`. */
  readonly schema?: SchemaObject;
  /** Since, or until, which microversion answers have it. */
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

/** Of options of which only the compiler knows whether they say `required`. */
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

/** One that says how a new resource is made, and is no part of it afterwards. */
export function givenOnly<T, Type extends ShownType, const O extends AttributeOptions<NoInfer<T>>>(
  type: Type & ShownType<T>,
  options: O,
): Attribute<T, Always<O>, Type> & RequiredOf<O> & Computed {
  const hidden = { given: 'at-creation', filter: false, sort: false, isHidden: true } as const;
  return { ...attribute<T, Type, O>(type, options), ...hidden, isComputed: true };
}

/** Whether clients may give it then. */
export function isGiven(
  { given }: Pick<Attribute, 'given'>,
  when: 'at-creation' | 'after-creation',
): boolean {
  return given === 'always' || given === when;
}

/** One that the service alone sets. */
export function shownOnly<Type extends ShownType>(
  type: Type,
  options: Omit<AttributeOptions<TypeOf<Type>>, 'given' | 'required' | 'default'>,
): Attribute<TypeOf<Type>, false, Type> & ShownOnly {
  const { wire, property, from } = options;
  return { ...options, type, always: false, given: 'never', wire, property, from };
}

/** One that is worked out of a row when it is shown. */
export function computed<Type extends ShownType>(
  type: Type,
  options: Omit<
    AttributeOptions<TypeOf<Type>>,
    'given' | 'required' | 'default' | 'column' | 'virtual'
  >,
): Attribute<TypeOf<Type>, false, Type> & ShownOnly & Computed {
  return { ...shownOnly(type, options), isComputed: true };
}

/** One whose value other columns of the row keep. */
export function keptElsewhere<A extends AnyAttribute>(attribute: A): A & Computed {
  return { ...attribute, isComputed: true };
}

/** One that a row has, and clients neither give nor see. */
export function withheld<A extends AnyAttribute>(attribute: A): A & ShownOnly {
  return { ...attribute, given: 'never', filter: false, sort: false, isHidden: true };
}

/** A column of the service's own, which clients neither give nor see. */
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

/** Whatever their values are read by. */
export type AnyAttribute = Attribute<unknown, boolean, ShownType>;
export type AnyAttributes = Readonly<Record<string, AnyAttribute>>;

/** What an attribute's values are. */
export type Value<A> = A extends { readonly type: infer Type } ? TypeOf<Type> : never;
type HasAlways<A> = A extends { readonly always: true } ? true : false;

/** The attributes of a new resource: defaults stand for what was not given. */
export type NewBody<A extends object> = {
  readonly [K in keyof A as HasAlways<A[K]> extends true ? K : never]: Value<A[K]>;
} & {
  readonly [K in keyof A as HasAlways<A[K]> extends true ? never : K]?: Value<A[K]>;
};

/** Those that a change names. */
export type ChangeBody<A extends object> = { readonly [K in keyof A]?: Value<A[K]> };

/** The columns of a resource's row. */
export type RowOf<A> = {
  -readonly [K in keyof A as A[K] extends Computed ? never : K]: Value<A[K]>;
};

/** An attribute with what clients call it, and its key in the declaration, which bodies have, too. */
export type NamedAttribute<A = Attribute> = readonly [wire: string, attribute: A, key: string];

/** Those of a declaration, in the order in which they are shown. */
export function named<A extends Pick<AnyAttribute, 'wire'>>(
  attributes: Readonly<Record<string, A>>,
): readonly NamedAttribute<A>[] {
  return namesOf(attributes).list;
}

/** Whether clients know one of them by that name. */
export function isNamed(attributes: AnyAttributes, wire: string): boolean {
  return namesOf(attributes).wires.has(wire);
}

interface Names<A> {
  readonly list: readonly NamedAttribute<A>[];
  readonly wires: ReadonlySet<string>;
}

/** Of each declaration once: a request may have thousands of bodies. */
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
