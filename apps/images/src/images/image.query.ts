/**
 * Filters and order of image lists. Public source: Image API reference, "List images".
 *
 * Always holds: a parameter that names no attribute filters by the custom property of that name.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { isStorable } from '@cumulet/common/database/storable';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import {
  compares,
  type Comparison,
  type Condition,
  equals,
  type Expression,
  holds,
  isComparison,
  oneOf,
} from '@cumulet/common/tables/condition';
import { type Sort, SortedBy, sortOf } from '@cumulet/common/tables/listing';
import type { Page } from '@cumulet/common/tables/page';
import { MEMBER_STATUSES } from './members/member.resource.js';
import { attributeFault } from './attribute-check.js';
import { SIZE_COLUMN, statesOf, statusColumn } from './image-status.js';
import { listed, visible } from './image.access.js';
import { attributeOf, isBaseAttribute } from './image.attributes.js';
import { type Image, VISIBILITIES } from './image.entity.js';
import { noMarker } from './image.repository.js';

/** Each value costs time, and no known client sends more. */
const MAX_VALUES = 500;

type Filter = (name: string, value: string) => Condition;

/** Each with its bounds: `size`, `size_min`, `size_max`. */
const NUMBERS: Readonly<Record<string, Expression>> = {
  size: { sql: SIZE_COLUMN },
  virtual_size: 'virtualSize',
  // Filter values may exceed the range of the column.
  min_ram: { sql: 'min_ram::bigint' },
  min_disk: { sql: 'min_disk::bigint' },
};

const FILTERS: Readonly<Record<string, Filter>> = {
  id: among({ sql: 'id::text' }, (id) => [id.toLowerCase()]),
  name: among('name'),
  status: among('state', statesOf),
  container_format: among('containerFormat'),
  disk_format: among('diskFormat'),
  owner: equal('owner'),
  checksum: equal('checksum'),
  os_hash_value: equal('hashValue'),
  ...Object.fromEntries(
    Object.entries(NUMBERS).flatMap(([name, column]) => [
      [name, number(column, 'eq')],
      [`${name}_min`, number(column, 'gte')],
      [`${name}_max`, number(column, 'lte')],
    ]),
  ),
  protected: flag('protected'),
  os_hidden: flag('hidden'),
  created_at: time('created_at'),
  updated_at: time('updated_at'),
  'changes-since': () => {
    throw new InvalidInputError('Invalid input: changes-since is gone; filter by updated_at.');
  },
};

/**
 * Custom properties make a single condition, since Postgres would plan hundreds of them separately.
 * @throws InvalidInputError naming the invalid parameter
 */
function imageFilters(parameters: readonly (readonly [string, string])[]): Condition[] {
  const properties: [string, string][] = [];
  const conditions: Condition[] = [];
  for (const [name, value] of parameters) {
    if (!isStorable(name) || !isStorable(value))
      throw refused(name, value, 'must not contain a null character');
    const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
    if (filter) conditions.push(filter(name, value));
    else if (isBaseAttribute(name))
      throw new InvalidInputError(`Invalid input: images cannot be filtered by ${name}.`);
    else properties.push([name, value]);
  }
  if (properties.length === 0) return conditions;
  return [...conditions, holds('properties', Object.fromEntries(properties))];
}

function tagFilter(tags: readonly string[]): Condition {
  for (const tag of tags)
    if (!isStorable(tag)) throw refused('tag', tag, 'must not contain a null character');
  return holds('tags', tags);
}

function refused(name: string, value: string, rule: string): InvalidInputError {
  return new InvalidInputError(`Invalid input: ${name} ${rule}; ${JSON.stringify(value)} is not.`);
}

function equal(property: string): Filter {
  return (_name, value) => equals(property, value);
}

/**
 * Matches a plain value, `eq:one` or `in:one,"two, quoted",three`.
 * @param stored the column's contents for a value; the value itself by default
 */
function among(
  column: Expression,
  stored: (value: string) => string[] = (value) => [value],
): Filter {
  return (name, text) => {
    const values = text.startsWith('in:')
      ? quotedList(name, text.slice(3))
      : [text.replace(/^eq:/, '')];
    if (values.length > MAX_VALUES) {
      throw new InvalidInputError(
        `Invalid input: ${name} takes ${MAX_VALUES} values at most; ${values.length} were given.`,
      );
    }
    const allowed: readonly (string | null)[] | undefined = attributeOf(name)?.enum;
    for (const one of values) {
      // An empty status or format matches nothing, as in Glance.
      if (allowed && one !== '' && !allowed.includes(one)) {
        throw refused(name, one, `must be one of ${allowed.filter(Boolean).join(', ')}`);
      }
    }
    return oneOf(column, values.flatMap(stored));
  };
}

/** `a,"b, c"` is `a` and `b, c`; a backslash escapes a quote. An empty list has no values. */
function quotedList(name: string, text: string): string[] {
  if (text === '') return [];
  if (!/^("([^"\\]|\\.)*"|[^",]*)(,("([^"\\]|\\.)*"|[^",]*))*$/.test(text)) {
    throw refused(name, text, 'must be a list whose quotes are closed');
  }
  return [...text.matchAll(/(?:^|,)(?:"((?:[^"\\]|\\.)*)"|([^",]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '',
  );
}

function number(column: Expression, how: Comparison): Filter {
  return (name, value) => {
    if (!/^\d{1,15}$/.test(value)) throw refused(name, value, 'must be a number');
    return compares(column, how, value);
  };
}

function flag(property: string): Filter {
  return (name, value) => {
    const word = value.toLowerCase();
    if (word !== 'true' && word !== 'false') throw refused(name, value, 'must be true or false');
    return equals(property, word === 'true');
  };
}

const ISO_TIME = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** `gt:2026-01-31T12:00:00Z`, in whole seconds, as views show them. */
function time(column: string): Filter {
  return (name, value) => {
    const [, word = 'eq', text = ''] = /^(?:([a-z]+):)?(.*)$/.exec(value) ?? [];
    const at = ISO_TIME.test(text) ? Date.parse(inUtc(text)) : NaN;
    if (!isComparison(word) || Number.isNaN(at)) {
      throw refused(name, value, 'must be an operator such as gt and a time in ISO 8601');
    }
    return compares({ sql: `date_trunc('second', ${column})` }, word, new Date(at));
  };
}

/** A time without an offset is in UTC. */
function inUtc(text: string): string {
  return /T|:/.test(text) && !/(Z|[+-]\d\d:?\d\d)$/.test(text) ? `${text}Z` : text;
}

/** As Fastify parses it: a repeated parameter has a list of values. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 1000;
const DIRECTIONS = ['asc', 'desc'] as const;

@SortedBy(['-createdAt'], {
  name: 'name',
  status: { sql: statusColumn() },
  container_format: 'containerFormat',
  disk_format: 'diskFormat',
  size: { sql: `COALESCE(${SIZE_COLUMN}, 0)` },
  id: 'id',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
})
class ImageOrder {
  constructor(
    readonly sort_key: readonly string[],
    readonly sort_dir: readonly string[],
  ) {}
}

/** Parameters that are not filters. `deleted` is ignored: lists never show deleted images. */
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

/** As in Glance, an empty visibility matches nothing. */
const NOTHING: Condition = () => 'false';

/** @throws InvalidInputError naming the invalid parameter */
export function imagePageOf(ctx: RequestContext, query: RawQuery): Page<Image> {
  const filters: RawQuery = { os_hidden: 'false', ...query };
  const tags = many(query['tag']);
  const isOfNone = query['visibility'] === '';
  const one = (name: string): string | undefined => single(name, query);
  const visibility = isOfNone
    ? undefined
    : chosen('visibility', one('visibility'), [...VISIBILITIES, 'all']);
  const status = chosen('member_status', one('member_status'), [...MEMBER_STATUSES, 'all']);
  return {
    where: [
      ...(isOfNone ? [NOTHING] : []),
      ...listed(ctx, { visibility, memberStatus: status ?? 'accepted' }),
      ...(tags.length > 0 ? [tagFilter(tags)] : []),
      ...imageFilters(
        Object.keys(filters)
          .filter((name) => !NOT_FILTERS.includes(name))
          .map((name) => [name, single(name, filters) ?? '']),
      ),
    ],
    limit: limitOf(one('limit')),
    markerScope: visible(ctx),
    marker: markerOf(one('marker')),
    sort: orderOf(query),
  };
}

function many(value: string | readonly string[] | undefined): string[] {
  return value === undefined ? [] : [value].flat();
}

function single(name: string, query: RawQuery): string | undefined {
  const values = many(query[name]);
  if (values.length > 1) {
    throw new InvalidInputError(`Invalid input: ${name} must be given once.`);
  }
  return values[0];
}

function chosen<const C extends string>(
  name: string,
  value: string | undefined,
  choices: readonly C[],
): C | undefined {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined || value === undefined) return found;
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

function markerOf(id: string | undefined): string | undefined {
  if (id !== undefined && attributeFault('id', id) !== undefined) throw noMarker(id);
  return id;
}

/** `sort=name:asc,size` or `sort_key=name&sort_dir=asc`; newest first by default. */
function orderOf(query: RawQuery): Sort[] {
  const sort = single('sort', query);
  const order = sort === undefined ? olderOrder(query) : newerOrder(sort, query);
  for (const direction of order.sort_dir) chosen('sort_dir', direction, DIRECTIONS);
  return sortOf(order);
}

function newerOrder(sort: string, query: RawQuery): ImageOrder {
  if (query['sort_key'] !== undefined || query['sort_dir'] !== undefined) {
    throw new InvalidInputError(
      'Invalid input: sort cannot be combined with sort_key and sort_dir.',
    );
  }
  const keys = sort.split(',').map((part) => part.split(':').map((one) => one.trim()));
  return new ImageOrder(
    keys.map(([key = '']) => key),
    keys.map(([, direction = 'desc']) => direction),
  );
}

/** A single direction applies to every key; otherwise there must be one per key. */
function olderOrder(query: RawQuery): ImageOrder {
  const keys = many(query['sort_key']).map((key) => key.trim());
  const directions = many(query['sort_dir']).map((one) => one.trim());
  if (directions.length > 1 && directions.length !== keys.length) {
    throw new InvalidInputError(
      'Invalid input: sort_dir must be given once, or once for each sort_key.',
    );
  }
  return new ImageOrder(keys, directions);
}
