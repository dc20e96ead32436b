/**
 * Translates Octavia's list parameters into those of `resources/list-query`:
 * `sort=name:asc,created_at:desc`, `sort_key=name,id`, `limit=infinite`. Lists are in the order of
 * creation unless they say otherwise. Public source: octavia, `api/common/pagination.py`.
 */
import { pageOf, type Query, valuesOf } from '@cumulet/common/resources/list-query';
import { attributesOf, type Resource } from '@cumulet/common/resources/resource';
import { shortened } from '@cumulet/common/resources/value-type';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Condition } from '@cumulet/common/tables/condition';
import type { PageOfRows, Table } from '@cumulet/common/tables/table';
import {
  InvalidLimitError,
  InvalidMarkerError,
  InvalidSortDirectionError,
  InvalidSortKeyError,
} from './octavia.errors.js';

/** The last sort key of every list. */
const LAST = 'created_at';

/**
 * @throws InvalidLimitError
 * @throws InvalidSortKeyError
 * @throws InvalidSortDirectionError
 */
export function octaviaQuery(resource: Resource<object>, query: Query): Query {
  const { sort: _sort, sort_key: _keys, sort_dir: _directions, limit: _limit, ...rest } = query;
  const sortable = attributesOf(resource)
    .filter(([, { sort }]) => sort !== false)
    .map(([name]) => name);
  const asked = sortOf(query);
  const odd = asked.find(([key]) => !sortable.includes(key));
  if (odd) throw new InvalidSortKeyError(shortened(odd[0]));
  const isLast = !sortable.includes(LAST) || asked.some(([key]) => key === LAST);
  const order = isLast ? asked : [...asked, [LAST, 'asc'] as const];
  return {
    ...rest,
    sort_key: order.map(([key]) => key),
    sort_dir: order.map(([, direction]) => direction),
    limit: limitOf(query),
  };
}

type Sorted = readonly [key: string, direction: string];

function sortOf(query: Query): Sorted[] {
  const listed = (name: string): string[] =>
    valuesOf(query, name).flatMap((value) => value.split(',').filter((one) => one !== ''));
  const sort = listed('sort');
  if (sort.length > 0) {
    return sort.map((one) => {
      const [key = '', direction = 'asc', ...rest] = one.split(':');
      if (rest.length > 0) throw new InvalidSortKeyError(shortened(one));
      return [key, directionOf(direction)];
    });
  }
  const directions = listed('sort_dir');
  return listed('sort_key').map((key, at) => [key, directionOf(directions[at] ?? 'asc')]);
}

function directionOf(text: string): string {
  const direction = text.toLowerCase();
  if (direction === 'asc' || direction === 'desc') return direction;
  throw new InvalidSortDirectionError(shortened(text));
}

/** 0 is without limit, and without pages: after a marker, it is as many as there can be. */
function limitOf(query: Query): string {
  const [limit = '0'] = valuesOf(query, 'limit');
  const all = valuesOf(query, 'marker').length > 0 ? '999999999' : '0';
  if (limit === 'infinite' || /^-\d{1,9}$/.test(limit)) return all;
  if (/^\d{1,9}$/.test(limit)) return Number(limit) === 0 ? all : limit;
  throw new InvalidLimitError(shortened(limit));
}

interface Listed<Row extends { readonly id: string }> {
  readonly resource: Resource<object>;
  readonly table: Table<Row>;
  /** Whether a row may have it; UUIDs by default. */
  readonly isId?: (id: string) => boolean;
}

/**
 * A page of a table's rows, as a list's query asks for it.
 * @param scope the rows that the caller sees
 * @throws InvalidMarkerError
 */
export async function pageOfRows<Row extends { readonly id: string }>(
  ctx: RequestContext,
  { resource, table, isId = isUuid }: Listed<Row>,
  query: Query,
  scope: readonly Condition[],
): Promise<PageOfRows<Row>> {
  const page = pageOf<Row>(resource, query, ctx);
  const { marker } = page;
  if (typeof marker === 'string') {
    const isThere = isId(marker) && (await table.find(ctx, marker, scope));
    if (!isThere) throw new InvalidMarkerError(shortened(marker));
  }
  return table.list(ctx, { ...page, scope });
}
