/**
 * Reads the query of a list: repeatable filters on any attribute, sorting, and paging. Public
 * source: neutron, `api/api_common.py`; Networking API reference, "Filtering and Column Selection",
 * "Sorting", "Pagination".
 */
import type { RequestContext } from '../context/request-context.js';
import { oneOf, type Condition } from '../tables/condition.js';
import type { Sort } from '../tables/listing.js';
import type { Page } from '../tables/page.js';
import { propertyOf, type NamedAttribute } from './attribute.js';
import { HTTPBadRequestError, InvalidValueError } from './resource.errors.js';
import { attributesOf, type Filter, type Filters, type Resource } from './resource.js';
import { Refusal, shortened } from './value-type.js';

/** A query as it was sent: a repeated parameter is a list. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

const NOT_FILTERS = ['fields', 'limit', 'marker', 'page_reverse', 'sort_key', 'sort_dir'];

/** More than any resource has. */
const MAX_FIELDS = 100;

/** Each costs Postgres another sort column. */
const MAX_SORT_KEYS = 20;

/**
 * The attributes to show; empty for all.
 * @throws HTTPBadRequestError for too many names
 */
export function fieldsOf(query: Query): readonly string[] {
  const named = new Set(valuesOf(query, 'fields').flatMap((one) => one.split(',')));
  if (named.size > MAX_FIELDS)
    throw new HTTPBadRequestError(`fields must not name more than ${MAX_FIELDS} attributes`);
  return [...named];
}

/** @throws HTTPBadRequestError naming what cannot be filtered or sorted by */
export function pageOf<Row>(
  resource: Resource<object>,
  query: Query,
  ctx: RequestContext,
): Page<Row> {
  const limit = limitOf(query);
  const [marker] = valuesOf(query, 'marker');
  return {
    where: filtersOf(resource, query, ctx),
    sort: sortOf(resource, query),
    limit: limit === 0 ? undefined : limit,
    // Without a limit there are no pages.
    marker: limit === 0 ? undefined : marker,
    reverse: isReverse(query),
  };
}

export function isReverse(query: Query): boolean {
  return valuesOf(query, 'page_reverse')[0]?.toLowerCase() === 'true';
}

/** 0 for no limit. */
export function limitOf(query: Query): number {
  const [text = '0'] = valuesOf(query, 'limit');
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new HTTPBadRequestError(
    `Bad limit request: Limit must be an integer 0 or greater and not '${shortened(text)}'.`,
  );
}

function filtersOf(resource: Resource<object>, query: Query, ctx: RequestContext): Condition[] {
  const filters: Filters = {
    ...Object.fromEntries(attributesOf(resource).flatMap(attributeFilter)),
    ...resource.filters,
  };
  const asked = Object.keys(query).filter((name) => !NOT_FILTERS.includes(name));
  const unknown = asked.filter((name) => !Object.hasOwn(filters, name));
  if (unknown.length > 0) {
    const names = unknown.map((one) => `'${shortened(one)}'`).join(', ');
    throw new HTTPBadRequestError(`[${names}] is invalid attribute for filtering`);
  }
  return asked.flatMap((name) => {
    try {
      // Empty values match empty attributes: `empty-string-filtering`.
      return filters[name]?.([query[name] ?? []].flat(), ctx) ?? [];
    } catch (error) {
      throw error instanceof Refusal ? new InvalidValueError(name, error.message) : error;
    }
  });
}

function attributeFilter(attribute: NamedAttribute): [string, Filter][] {
  const [name, { filter, type }] = attribute;
  if (filter === false) return [];
  const property = propertyOf(attribute);
  const byValue = (values: readonly string[]): Condition =>
    oneOf(
      property,
      values.map((one) => type.fromText(one)).filter((one) => one !== undefined),
    );
  return [[name, filter ?? byValue]];
}

function sortOf(resource: Resource<object>, query: Query): Sort[] {
  const keys = valuesOf(query, 'sort_key');
  const directions = valuesOf(query, 'sort_dir');
  if (keys.length > MAX_SORT_KEYS)
    throw new HTTPBadRequestError(`There must not be more than ${MAX_SORT_KEYS} sort_keys`);
  if (keys.length !== directions.length)
    throw new HTTPBadRequestError('The number of sort_keys and sort_dirs must be same');
  const sortable = new Map(
    attributesOf(resource)
      .filter(([, { sort }]) => sort !== false)
      .map((one) => [one[0], propertyOf(one)]),
  );
  const unknown = keys.filter((key) => !sortable.has(key));
  if (unknown.length > 0)
    throw new HTTPBadRequestError(
      `['${shortened(unknown.join("', '"))}'] is invalid attribute for sort_keys`,
    );
  const wrong = directions.filter((one) => one !== 'asc' && one !== 'desc');
  if (wrong.length > 0) {
    throw new HTTPBadRequestError(
      `['${shortened(wrong.join("', '"))}'] is invalid value for sort_dirs, valid value is 'asc' and 'desc'`,
    );
  }
  return keys.map((key, at) => ({
    by: sortable.get(key) ?? key,
    descending: directions[at] === 'desc',
  }));
}

/** The non-empty values of a parameter. */
export function valuesOf(query: Query, name: string): readonly string[] {
  const value = query[name];
  return (value === undefined ? [] : [value].flat()).filter((one) => one !== '');
}
