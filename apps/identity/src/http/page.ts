/**
 * Lists in pages: `limit` says how long one is, `marker` is the id of the last of the page before.
 * Public source: Keystone API reference, "List users", `limit` and `marker`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { IntegerField, StringField } from '@cumulet/common/http/fields';
import {
  nextPageUrl,
  pageClause,
  type PageClause,
  type SortKey,
} from '@cumulet/common/http/paging';
import { collectionLinks } from './collection.view.js';

const MAX_PAGE = 1_000;

export class PageQuery {
  /** Without one the list is as long as it is. */
  @IntegerField({ optional: true, fromText: true, min: 1 })
  limit?: number;

  @StringField({ optional: true })
  marker?: string;
}

/** Where a page begins, and how many rows are asked for: one more than are shown. */
export interface PageStart {
  readonly rows: number;
  /** What the sort keys are in the row before it. */
  readonly after: readonly unknown[] | undefined;
}

/** What a list is sorted by, with its value in a row; the last is unique. */
export type ListOrder<T> = readonly (SortKey & { readonly value: (row: T) => unknown })[];

interface Named {
  readonly name: string;
  readonly id: string;
}

/** The order in which rows were made. Moments are compared as `Date` has them, to the millisecond. */
export function byAge<T extends { readonly createdAt: Date; readonly id: string }>(
  table: string,
): ListOrder<T> {
  return [
    {
      column: `date_trunc('milliseconds', ${table}.created_at)`,
      direction: 'asc',
      value: ({ createdAt }) => createdAt.toISOString(),
    },
    { column: `${table}.id`, direction: 'asc', value: ({ id }) => id },
  ];
}

/** What users, groups, projects, domains and others that have a name are sorted by. */
export function byName(table: string): ListOrder<Named> {
  return [
    { column: `${table}.name`, direction: 'asc', value: ({ name }) => name },
    { column: `${table}.id`, direction: 'asc', value: ({ id }) => id },
  ];
}

/**
 * @param find the row that a marker names, as far as the caller may see it
 * @throws MarkerNotFoundError
 */
export function pageStart(
  page: PageQuery,
  find: (id: string) => Promise<Named | undefined>,
): Promise<PageStart> {
  return startAfter(page, find, ({ name, id }) => [name, id]);
}

/**
 * SQL of a page of a list in an order of its own.
 * @param find the row that a marker names, as far as the caller may see it
 * @param firstParameter the number of the first free `$n` in the statement
 * @throws MarkerNotFoundError
 */
export async function pageOf<T>(
  page: PageQuery,
  order: ListOrder<T>,
  find: (id: string) => Promise<T | undefined>,
  firstParameter: number,
): Promise<PageClause> {
  const { rows, after } = await startAfter(page, find, (row) =>
    order.map(({ value }) => value(row)),
  );
  return pageClause({ limit: rows, sort: order, after }, firstParameter);
}

/** A page under `key` with its links, from the rows that were asked for. */
export function pageView<T extends { readonly id: string }>(
  ctx: RequestContext,
  { limit }: PageQuery,
  [key, rows]: readonly [string, readonly T[]],
  view: (row: T, baseUrl: string) => object,
): object {
  const shown = limit === undefined ? rows : rows.slice(0, capped(limit));
  const members = shown.map((row) => view(row, ctx.baseUrl));
  const last = shown.at(-1);
  const links = collectionLinks(ctx);
  if (!last || shown.length === rows.length) return { [key]: members, links };
  const next = `${ctx.baseUrl}${nextPageUrl(ctx.fields.requestUrl ?? '', last.id)}`;
  return { [key]: members, links: { ...links, next }, truncated: true };
}

async function startAfter<T>(
  { limit, marker }: PageQuery,
  find: (id: string) => Promise<T | undefined>,
  keysOf: (row: T) => readonly unknown[],
): Promise<PageStart> {
  const rows = limit === undefined ? Number.MAX_SAFE_INTEGER : capped(limit) + 1;
  if (marker === undefined) return { rows, after: undefined };
  const row = await find(marker);
  if (!row) throw new MarkerNotFoundError(marker);
  return { rows, after: keysOf(row) };
}

function capped(limit: number): number {
  return Math.min(limit, MAX_PAGE);
}

class MarkerNotFoundError extends DomainError {
  constructor(marker: string) {
    super('not-found', `Could not find marker: ${marker}.`);
  }
}
