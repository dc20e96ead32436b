/** The query of a list of tags. Public source: Image API reference, "List tags". */
import { EnumField, IntegerField, StringField } from '@cumulet/common/http/fields';
import { sortKeys, type SortDirection, type SortKey } from '@cumulet/common/http/paging';
import type { MetadefTag } from './tag.entity.js';

/** Glance knows no other: a list without a limit is whole. */
const NO_LIMIT = 2_147_483_647;

const SORT_COLUMNS = {
  created_at: 'created_at',
  updated_at: 'updated_at',
  name: 'name',
} as const;

/** What the sort columns are in a row, to go on after a marker. */
const SORT_VALUES: Readonly<Record<string, (tag: MetadefTag) => unknown>> = {
  [SORT_COLUMNS.created_at]: (tag) => tag.createdAt,
  [SORT_COLUMNS.updated_at]: (tag) => tag.updatedAt,
  [SORT_COLUMNS.name]: (tag) => tag.name,
};

export class ListMetadefTagsQuery {
  @IntegerField({ optional: true, fromText: true })
  limit?: number;

  @StringField({ optional: true, description: 'The name of the tag before the page.' })
  marker?: string;

  @EnumField(Object.keys(SORT_COLUMNS), { optional: true })
  sort_key?: keyof typeof SORT_COLUMNS;

  @EnumField(['asc', 'desc'], { optional: true })
  sort_dir?: SortDirection;
}

export function limitOf({ limit = NO_LIMIT }: ListMetadefTagsQuery): number {
  return limit;
}

/** The newest first, unless asked for otherwise. */
export function sortOf({
  sort_key: key = 'created_at',
  sort_dir: direction = 'desc',
}: ListMetadefTagsQuery): SortKey[] {
  return sortKeys([{ key, direction }], SORT_COLUMNS, [], 'name');
}

export function sortValues(sort: readonly SortKey[], marker: MetadefTag): unknown[] {
  return sort.map(({ column }) => SORT_VALUES[column]?.(marker));
}
