import type { RequestContext } from '@cumulet/common/context/request-context';
import { EnumField, IntegerField, StringField } from '@cumulet/common/http/fields';
import { firstPageUrl, nextPageUrl } from '@cumulet/common/http/paging';
import { Shown } from '@cumulet/common/http/shown';
import type { Expression } from '@cumulet/common/tables/condition';
import { SortedBy } from '@cumulet/common/tables/listing';
import type { PageOfRows } from '@cumulet/common/tables/table';

/**
 * The query of a list that goes page by page, the newest first unless asked for otherwise. Public
 * source: Image API reference, "List tasks" and "List namespaces".
 * @param sortKeys from the wire to the row
 * @param defaultLimit rows of a page if the query does not say; all of them unless given
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

/** How answers declare `pageLinks`. */
export const PAGE_LINKS = {
  first: Shown(String, 'The path of the first page.'),
  next: Shown(String, 'The path of the next page; absent on the last.', { optional: true }),
};

/**
 * The paths of the first page and of the next, if there is one: the request's own with another
 * marker.
 */
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
