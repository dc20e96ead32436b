import type { RequestContext } from '@cumulet/common/context/request-context';
import { EnumField, IntegerField, StringField } from '@cumulet/common/http/fields';
import { firstPageUrl, nextPageUrl } from '@cumulet/common/http/paging';
import { Shown } from '@cumulet/common/http/shown';
import type { Expression } from '@cumulet/common/tables/condition';
import { SortedBy } from '@cumulet/common/tables/listing';
import type { PageOfRows } from '@cumulet/common/tables/table';

/**
 * The query of a paginated list, newest first by default. Public source: Image API reference, "List
 * tasks" and "List namespaces".
 * @param sortKeys wire names, and the columns that they sort by
 * @param defaultLimit items per page; unlimited by default
 */
export function pageQuery(
  sortKeys: Readonly<Record<string, Expression>>,
  defaultLimit?: number,
  MarkerField = StringField({ optional: true, description: 'The last item of the page before.' }),
) {
  @SortedBy(['-createdAt'], sortKeys)
  abstract class PageQuery {
    @IntegerField({ optional: true, fromText: true })
    limit?: number | undefined = defaultLimit;

    @MarkerField
    marker?: string;

    @EnumField(Object.keys(sortKeys), { optional: true })
    sort_key?: string;

    @EnumField(['asc', 'desc'], { optional: true })
    sort_dir?: 'asc' | 'desc';
  }
  return PageQuery;
}

export const PAGE_LINKS = {
  first: Shown(String, 'The path of the first page.'),
  next: Shown(String, 'The path of the next page; absent on the last.', { optional: true }),
};

/** The request's own path, with other markers. */
export function pageLinks<Row>(
  { fields: { requestUrl = '' } }: RequestContext,
  { rows, more }: PageOfRows<Row>,
  markerOf: (row: Row) => string,
): { first: string; next?: string } {
  const last = more ? rows.at(-1) : undefined;
  return {
    first: firstPageUrl(requestUrl),
    ...(last ? { next: nextPageUrl(requestUrl, markerOf(last)) } : {}),
  };
}
