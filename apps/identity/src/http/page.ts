/**
 * Lists in pages: `limit` says how long one is, `marker` is the id of the last of the page before.
 * Public source: Keystone API reference, "List users", `limit` and `marker`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { IntegerField, StringField } from '@cumulet/common/http/fields';
import { nextPageUrl, type SortKey } from '@cumulet/common/http/paging';
import { collectionLinks } from './collection.view.js';

const LONGEST_PAGE = 1_000;

export class PageQuery {
  /** Without one the list is as long as it is. */
  @IntegerField({ optional: true, fromText: true, min: 1 })
  limit?: number;

  @StringField({ optional: true, max: 64 })
  marker?: string;
}

/** Where a page begins, and how many rows are asked for: one more than are shown. */
export interface PageStart {
  readonly rows: number;
  /** The name and the id of the row before it. */
  readonly after: readonly [string, string] | undefined;
}

/** What users, groups, projects and domains are sorted by. */
export function byName(table: 'users' | 'groups' | 'projects' | 'domains'): SortKey[] {
  return [
    { column: `${table}.name`, direction: 'asc' },
    { column: `${table}.id`, direction: 'asc' },
  ];
}

/**
 * @param find the row that a marker names, as far as the caller may see it
 * @throws MarkerNotFoundError
 */
export async function pageStart(
  { limit, marker }: PageQuery,
  find: (id: string) => Promise<{ readonly name: string; readonly id: string } | undefined>,
): Promise<PageStart> {
  const rows = limit === undefined ? Number.MAX_SAFE_INTEGER : longest(limit) + 1;
  if (marker === undefined) return { rows, after: undefined };
  const row = await find(marker);
  if (!row) throw new MarkerNotFoundError(marker);
  return { rows, after: [row.name, row.id] };
}

/** A page under `key` with its links, from the rows that were asked for. */
export function pageView<T extends { readonly id: string }>(
  ctx: RequestContext,
  { limit }: PageQuery,
  [key, rows]: readonly [string, readonly T[]],
  view: (row: T, baseUrl: string) => object,
): object {
  const shown = limit === undefined ? rows : rows.slice(0, longest(limit));
  const members = shown.map((row) => view(row, ctx.baseUrl));
  const last = shown.at(-1);
  const links = collectionLinks(ctx);
  if (!last || shown.length === rows.length) return { [key]: members, links };
  const next = `${ctx.baseUrl}${nextPageUrl(ctx.fields.requestUrl ?? '', last.id)}`;
  return { [key]: members, links: { ...links, next }, truncated: true };
}

function longest(limit: number): number {
  return Math.min(limit, LONGEST_PAGE);
}

class MarkerNotFoundError extends DomainError {
  constructor(marker: string) {
    super('not-found', `Could not find marker: ${marker}.`);
  }
}
