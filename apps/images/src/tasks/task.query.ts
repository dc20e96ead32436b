/** The query of a list of tasks. Public source: Image API reference, "List tasks". */
import { EnumField, IntegerField, UuidField } from '@cumulet/common/http/fields';
import { sortKeys, type SortDirection, type SortKey } from '@cumulet/common/http/paging';
import type { Task, TaskStatus } from './task.entity.js';
import { TASK_STATUSES } from './task.entity.js';
import { IMAGE_IMPORT } from './new-task.js';

const DEFAULT_LIMIT = 25;
const LARGEST_LIMIT = 1000;

/** Sort keys must not be null: a task that does not expire comes after those that do. */
const SORT_COLUMNS = {
  created_at: 'created_at',
  updated_at: 'updated_at',
  expires_at: `COALESCE(expires_at, 'infinity')`,
  id: 'id',
  owner: 'owner',
  status: 'status',
  type: 'type',
} as const;

type TaskSortKey = keyof typeof SORT_COLUMNS;

/** What the sort columns are in a row, to go on after a marker. */
const SORT_VALUES: Readonly<Record<string, (task: Task) => unknown>> = {
  [SORT_COLUMNS.created_at]: (task) => task.createdAt,
  [SORT_COLUMNS.updated_at]: (task) => task.updatedAt,
  [SORT_COLUMNS.expires_at]: (task) => task.expiresAt ?? 'infinity',
  [SORT_COLUMNS.id]: (task) => task.id,
  [SORT_COLUMNS.owner]: (task) => task.owner,
  [SORT_COLUMNS.status]: (task) => task.status,
  [SORT_COLUMNS.type]: (task) => task.type,
};

export class ListTasksQuery {
  @IntegerField({ optional: true, fromText: true })
  limit?: number;

  @UuidField({ optional: true })
  marker?: string;

  @EnumField(Object.keys(SORT_COLUMNS), { optional: true })
  sort_key?: TaskSortKey;

  @EnumField(['asc', 'desc'], { optional: true })
  sort_dir?: SortDirection;

  @EnumField(TASK_STATUSES, { optional: true })
  status?: TaskStatus;

  @EnumField(['import', IMAGE_IMPORT, 'location_import'], { optional: true })
  type?: string;
}

export function limitOf({ limit = DEFAULT_LIMIT }: ListTasksQuery): number {
  return Math.min(limit, LARGEST_LIMIT);
}

/** The newest first, unless asked for otherwise. */
export function sortOf({
  sort_key: key = 'created_at',
  sort_dir: direction = 'desc',
}: ListTasksQuery): SortKey[] {
  return sortKeys([{ key, direction }], SORT_COLUMNS, [], 'id');
}

export function sortValues(sort: readonly SortKey[], marker: Task): unknown[] {
  return sort.map(({ column }) => SORT_VALUES[column]?.(marker));
}
