/** Public source: Container Infrastructure Management API reference, "List all clusters". */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Shown } from '@cumulet/common/http/shown';
import { EnumField, IntegerField, StringField } from '@cumulet/common/http/fields';
import { pageOfQuery, type Page } from '@cumulet/common/tables/page';
import type { PageOfRows } from '@cumulet/common/tables/table';

const MAX_LIMIT = 1_000;

export const NEXT = Shown(String, 'The URL of the next page, if there is one.', {
  optional: true,
});

export class PageQuery {
  @IntegerField({
    optional: true,
    fromText: true,
    min: 1,
    description: 'The maximum number of items.',
  })
  limit?: number;

  @StringField({ optional: true, description: 'The ID of the last item of the page before.' })
  marker?: string;

  @StringField({ optional: true, description: 'The attribute by which the list is sorted.' })
  sort_key?: string;

  @EnumField(['asc', 'desc'], {
    optional: true,
    description: 'The direction in which the list is sorted.',
  })
  sort_dir?: 'asc' | 'desc';
}

export function pageOf<Row>(query: PageQuery): Page<Row> & { limit: number } {
  const page = pageOfQuery<Row>(query, MAX_LIMIT);
  // Ascending, even if a client gives a key without a direction.
  const isDescending = query.sort_dir === 'desc';
  return { ...page, sort: (page.sort ?? []).map(({ by }) => ({ by, descending: isDescending })) };
}

/** Parameters that differ from page to page. */
const OF_PAGE = ['limit', 'marker', 'sort_key', 'sort_dir'];

/** The URL of the next page, with the query's filters. */
export function nextOf<Row extends { readonly id: string | number }>(
  { baseUrl }: Pick<RequestContext, 'baseUrl'>,
  path: string,
  query: PageQuery,
  { rows, more }: PageOfRows<Row>,
): { readonly next?: string } {
  const last = rows.at(-1);
  if (!more || !last) return {};
  const filters = Object.entries(query as object as Readonly<Record<string, unknown>>).filter(
    ([name, value]) => value !== undefined && !OF_PAGE.includes(name),
  );
  const parameters = new URLSearchParams({
    ...Object.fromEntries(filters.map(([name, value]) => [name, String(value)])),
    sort_key: query.sort_key ?? 'id',
    sort_dir: query.sort_dir ?? 'asc',
    limit: String(query.limit ?? MAX_LIMIT),
    marker: String(last.id),
  });
  return { next: `${baseUrl}/v1/${path}?${parameters.toString()}` };
}
