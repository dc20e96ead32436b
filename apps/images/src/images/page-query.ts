import { EnumField, IntegerField, StringField } from '@cumulet/common/http/fields';
import { SortedBy, type SortExpression } from '@cumulet/common/tables/listing';

/**
 * The query of a list that goes page by page, the newest first unless asked for otherwise. Public
 * source: Image API reference, "List tasks" and "List namespaces".
 * @param sortKeys from the wire to the row
 * @param defaultLimit rows of a page where the query does not say; all of them unless given
 */
export function pageQuery(
  sortKeys: Readonly<Record<string, SortExpression>>,
  defaultLimit?: number,
  MarkerField = StringField({ optional: true, description: 'What stands before the page.' }),
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
