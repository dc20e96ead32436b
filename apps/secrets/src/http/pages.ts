/**
 * Pages of lists, by offset as in Barbican, with the URLs of the previous and the next page. Public
 * source: Key Manager API reference, "GET /v1/secrets".
 */
import type { Type } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { IntegerField } from '@cumulet/common/http/fields';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import type { Condition } from '@cumulet/common/tables/condition';
import type { Page } from '@cumulet/common/tables/page';
import type { Table } from '@cumulet/common/tables/table';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 10;

export class PageQuery {
  @IntegerField({
    optional: true,
    fromText: true,
    description: `The number of rows on the page, at most ${MAX_LIMIT}; ${DEFAULT_LIMIT} by default.`,
  })
  limit?: number;

  @IntegerField({
    optional: true,
    fromText: true,
    description: 'The number of items before the page.',
  })
  offset?: number;
}

/** The class of `{"secrets": […], "total": …}`. */
export function pageClass(plural: string, view: Type): Type {
  const link = { optional: true };
  return answerClass(`${view.name}Page`, {
    [plural]: Shown([() => view], `The ${plural} of the page.`),
    total: Shown('integer', 'The number of items on all pages.'),
    next: Shown(String, 'The URL of the next page, if any.', link),
    previous: Shown(String, 'The URL of the previous page, if any.', link),
  });
}

export interface NumberedPage<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** @param order of the list, and what it is limited to */
export async function pageOf<Row extends object>(
  ctx: RequestContext,
  table: Table<Row>,
  { limit: asked = DEFAULT_LIMIT, offset = 0 }: PageQuery,
  { scope = [], where = [], sort = [] }: Pick<Page<Row>, 'scope' | 'where' | 'sort'>,
): Promise<NumberedPage<Row>> {
  const limit = Math.min(asked, MAX_LIMIT);
  const { rows, more } = await table.list(ctx, { scope, where, sort, limit, offset });
  const isLast = rows.length > 0 && !more;
  const conditions: Condition[] = [...scope, ...where];
  const total = isLast ? offset + rows.length : await table.countOf(ctx, conditions);
  return { rows, total, limit, offset };
}

export function pageView<Row>(
  ctx: RequestContext,
  plural: string,
  { rows, total, limit, offset }: NumberedPage<Row>,
  view: (row: Row) => object,
): object {
  const at = (begin: number): string => pageUrl(ctx, limit, begin);
  return {
    [plural]: rows.map(view),
    total,
    ...(limit > 0 && total > offset + limit ? { next: at(offset + limit) } : {}),
    ...(limit > 0 && offset > 0 ? { previous: at(Math.max(0, offset - limit)) } : {}),
  };
}

/** The URL of the request, with another page of the same filters. */
function pageUrl({ baseUrl, fields }: RequestContext, limit: number, offset: number): string {
  const [path = '', ...query] = (fields.requestUrl ?? '').split('?');
  const params = new URLSearchParams(query.join('?'));
  params.delete('limit');
  params.delete('offset');
  const own = new URLSearchParams({ limit: String(limit), offset: String(offset) });
  return `${baseUrl}${path}?${[own, params].map(String).filter(Boolean).join('&')}`;
}
