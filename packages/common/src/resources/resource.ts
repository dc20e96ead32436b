/**
 * Declares a resource: its names and its attributes. Routes, documents, bodies, filters, sorting,
 * paging and tags derive from it. What a service's resources share is its convention.
 */
import type { RequestContext } from '../context/request-context.js';
import type { Condition } from '../tables/condition.js';
import { named, type Attribute, type Attributes, type NamedAttribute } from './attribute.js';

/** A filter on lists, from the values of one parameter. */
export type Filter = (values: readonly string[], ctx: RequestContext) => Condition;

export type Filters = Readonly<Record<string, Filter>>;

/** Shared by the resources of a service. */
export interface Convention<S extends object = Attributes> {
  /** Common attributes, shown before the resource's own. */
  readonly attributes: S;
  readonly filters: Filters;
  /** How times are written. */
  readonly writeTime: (time: Date) => string;
}

export interface Declaration<A extends object> {
  /** The name in bodies and of its quota: `network`. */
  readonly singular: string;
  /** `networks` */
  readonly plural: string;
  readonly attributes: A;
  /** Filters besides attributes and the convention's. */
  readonly filters?: Filters;
}

export interface Resource<A extends object = Attributes>
  extends Declaration<A>, Pick<Convention, 'filters' | 'writeTime'> {
  readonly filters: Filters;
}

/** How a service defines its resources. */
export function resourcesBy<S extends Attributes>({
  attributes,
  filters,
  writeTime,
}: Convention<S>): <const A extends Attributes>(declaration: Declaration<A>) => Resource<S & A> {
  return (declaration) => ({
    ...declaration,
    attributes: { ...attributes, ...declaration.attributes },
    filters: { ...filters, ...declaration.filters },
    writeTime,
  });
}

export const MAX_INTEGER = 2_147_483_647;

/** The attributes of a resource by wire name, in order. */
export function attributesOf({
  attributes,
}: Pick<Resource<object>, 'attributes'>): readonly NamedAttribute[] {
  return named(attributes as Attributes);
}

/** The columns of a body's attributes. */
export function columnsOf<Row extends object>(
  resource: Resource<object>,
  body: object,
): Partial<Row> {
  const attributes = resource.attributes as Readonly<Record<string, Attribute>>;
  const columns = Object.entries(body).flatMap(([key, value]: [string, unknown]) => {
    const attribute = attributes[key];
    return attribute && value !== undefined ? [[attribute.property ?? key, value]] : [];
  });
  return Object.fromEntries(columns) as Partial<Row>;
}

/** Tags as clients list them in a query: `red,blue`. */
const words = (values: readonly string[]): string[] => values.flatMap((one) => one.split(','));

const tagged = (operator: '@>' | '&&', isNot = false): Filter => {
  return (values) => {
    const not = isNot ? 'NOT ' : '';
    return (bind, column) => `${not}${column('tags')} ${operator} ${bind(words(values))}::text[]`;
  };
};

/** Lists go by the column `tags`. Public source: Networking API reference, "Filtering by Tags". */
export const TAG_FILTERS: Filters = {
  tags: tagged('@>'),
  'tags-any': tagged('&&'),
  'not-tags': tagged('@>', true),
  'not-tags-any': tagged('&&', true),
};
