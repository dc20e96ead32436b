/** The query of a list of namespaces. Public source: Image API reference, "List namespaces". */
import { EnumField, IntegerField, StringField } from '@cumulet/common/http/fields';
import { sortKeys, type SortDirection, type SortKey } from '@cumulet/common/http/paging';
import {
  NAMESPACE_VISIBILITIES,
  type MetadefNamespace,
  type NamespaceVisibility,
} from './namespace.entity.js';
import type { NamespaceFilter } from './namespace.repository.js';

const DEFAULT_LIMIT = 25;
const LARGEST_LIMIT = 1000;
const LONGEST_FILTER = 4096;

/** Sort keys must not be null, so what is not set sorts as nothing. */
const SORT_COLUMNS = {
  created_at: 'created_at',
  updated_at: 'updated_at',
  namespace: 'namespace',
  display_name: `COALESCE(display_name, '')`,
  description: `COALESCE(description, '')`,
  visibility: 'visibility',
  protected: 'protected',
  owner: 'owner',
  id: 'id',
} as const;

/** What the sort columns are in a row, to go on after a marker. */
const SORT_VALUES: Readonly<Record<string, (row: MetadefNamespace) => unknown>> = {
  [SORT_COLUMNS.created_at]: (row) => row.createdAt,
  [SORT_COLUMNS.updated_at]: (row) => row.updatedAt,
  [SORT_COLUMNS.namespace]: (row) => row.namespace,
  [SORT_COLUMNS.display_name]: (row) => row.displayName ?? '',
  [SORT_COLUMNS.description]: (row) => row.description ?? '',
  [SORT_COLUMNS.visibility]: (row) => row.visibility,
  [SORT_COLUMNS.protected]: (row) => row.protected,
  [SORT_COLUMNS.owner]: (row) => row.owner,
  [SORT_COLUMNS.id]: (row) => row.id,
};

export class ListNamespacesQuery {
  @IntegerField({ optional: true, fromText: true })
  limit?: number;

  @StringField({ optional: true, description: 'The name of the namespace before the page.' })
  marker?: string;

  @EnumField(Object.keys(SORT_COLUMNS), { optional: true })
  sort_key?: keyof typeof SORT_COLUMNS;

  @EnumField(['asc', 'desc'], { optional: true })
  sort_dir?: SortDirection;

  @EnumField(NAMESPACE_VISIBILITIES, { optional: true })
  visibility?: NamespaceVisibility;

  @StringField({
    optional: true,
    min: 0,
    max: LONGEST_FILTER,
    description: 'Namespaces that are associated with any of these, parted by commas.',
  })
  resource_types?: string;
}

export function filterOf({ visibility, resource_types }: ListNamespacesQuery): NamespaceFilter {
  return { visibility, resourceTypes: resource_types?.split(',') };
}

export function limitOf({ limit = DEFAULT_LIMIT }: ListNamespacesQuery): number {
  return Math.min(limit, LARGEST_LIMIT);
}

/** The newest first, unless asked for otherwise. */
export function sortOf({
  sort_key: key = 'created_at',
  sort_dir: direction = 'desc',
}: ListNamespacesQuery): SortKey[] {
  return sortKeys([{ key, direction }], SORT_COLUMNS, [], 'id');
}

export function sortValues(sort: readonly SortKey[], marker: MetadefNamespace): unknown[] {
  return sort.map(({ column }) => SORT_VALUES[column]?.(marker));
}
