/** The query of a list request. Public source: Image API reference, "List images". */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { sortKeys, type SortDirection, type SortKey } from '@cumulet/common/http/paging';
import { MEMBER_STATUSES } from '../members/member.entity.js';
import type { Selection } from './image.access.js';
import { VISIBILITIES } from './image.entity.js';
import { imageFilter, tagFilter } from './image.filters.js';
import { SIZE_COLUMN, statusColumn } from './image-status.js';
import type { Condition } from './sql-condition.js';

export interface ImageQuery extends Selection {
  readonly filters: readonly Condition[];
  readonly limit: number;
  /** The id of the image before the page, as it was sent. */
  readonly marker: string | undefined;
  readonly sort: readonly SortKey[];
}

/** A query string as Fastify parses it: a repeated parameter has a list of values. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 1000;

/** Sort keys must not be null, so what may be null sorts as what it means: nothing. */
const SORT_COLUMNS: Readonly<Record<string, string>> = {
  name: `COALESCE(name, '')`,
  status: statusColumn(),
  container_format: `COALESCE(container_format, '')`,
  disk_format: `COALESCE(disk_format, '')`,
  size: `COALESCE(${SIZE_COLUMN}, 0)`,
  id: 'id',
  created_at: 'created_at',
  updated_at: 'updated_at',
};

/** What is not a filter, and `deleted`, by which no list has ever shown what is gone. */
const NOT_FILTERS = [
  'deleted',
  'limit',
  'marker',
  'member_status',
  'sort',
  'sort_dir',
  'sort_key',
  'tag',
  'visibility',
];

/** Glance takes an empty visibility for one that no image has, and so answers with an empty list. */
const NOTHING: Condition = () => 'false';

/** @throws InvalidInputError naming the parameter that is wrong */
export function imageQueryOf(query: RawQuery): ImageQuery {
  const filters: RawQuery = { os_hidden: 'false', ...query };
  const tags = many(query['tag']);
  const isOfNone = query['visibility'] === '';
  return {
    filters: [
      ...(isOfNone ? [NOTHING] : []),
      ...(tags.length > 0 ? [tagFilter(tags)] : []),
      ...Object.keys(filters)
        .filter((name) => !NOT_FILTERS.includes(name))
        .map((name) => imageFilter(name, single(name, filters[name]) ?? '')),
    ],
    visibility: isOfNone ? undefined : choiceOf('visibility', query, [...VISIBILITIES, 'all']),
    memberStatus: choiceOf('member_status', query, [...MEMBER_STATUSES, 'all']) ?? 'accepted',
    limit: limitOf(single('limit', query['limit'])),
    marker: single('marker', query['marker']),
    sort: sortOf(query),
  };
}

function many(value: string | readonly string[] | undefined): string[] {
  return value === undefined ? [] : [value].flat();
}

function single(name: string, value: string | readonly string[] | undefined): string | undefined {
  const values = many(value);
  if (values.length > 1) {
    throw new InvalidInputError(`Invalid input: ${name} must be given once.`);
  }
  return values[0];
}

function choiceOf<const C extends string>(
  name: string,
  query: RawQuery,
  choices: readonly C[],
): C | undefined {
  const value = single(name, query[name]);
  return value === undefined ? undefined : chosen(name, value, choices);
}

function chosen<const C extends string>(name: string, value: string, choices: readonly C[]): C {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw new InvalidInputError(
    `Invalid input: ${name} must be one of ${choices.join(', ')}; '${value}' is not.`,
  );
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  if (!/^\d+$/.test(text)) {
    throw new InvalidInputError(
      `Invalid input: limit must be an integer of 0 or more; '${text}' is not.`,
    );
  }
  return Math.min(Number(text), MAX_LIMIT);
}

/** `sort=name:asc,size` or, as it was before, `sort_key=name&sort_dir=asc`; newest first by default. */
function sortOf(query: RawQuery): SortKey[] {
  const asked = query['sort'] === undefined ? olderSort(query) : newerSort(query);
  return sortKeys(asked, SORT_COLUMNS, [{ column: 'created_at', direction: 'desc' }], 'id');
}

interface Asked {
  readonly key: string;
  readonly direction: SortDirection;
}

function newerSort(query: RawQuery): Asked[] {
  if (query['sort_key'] !== undefined || query['sort_dir'] !== undefined) {
    throw new InvalidInputError('Invalid input: sort cannot stand beside sort_key and sort_dir.');
  }
  return (single('sort', query['sort']) ?? '').split(',').map((part) => {
    const [key = '', direction = 'desc'] = part.split(':').map((one) => one.trim());
    return { key, direction: directionOf(direction) };
  });
}

/** One direction goes for every key; several must be as many as the keys. */
function olderSort(query: RawQuery): Asked[] {
  const keys = many(query['sort_key']).map((key) => key.trim());
  const directions = many(query['sort_dir']).map((one) => directionOf(one.trim()));
  if (directions.length > 1 && directions.length !== keys.length) {
    throw new InvalidInputError(
      `Invalid input: there are ${directions.length} of sort_dir and ${keys.length} of sort_key.`,
    );
  }
  const used = keys.length === 0 && directions.length > 0 ? ['created_at'] : keys;
  return used.map((key, at) => ({ key, direction: directions[at] ?? directions[0] ?? 'desc' }));
}

function directionOf(text: string): SortDirection {
  return chosen('sort_dir', text, ['asc', 'desc']);
}
