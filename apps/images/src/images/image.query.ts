/** The query of a list request. Public source: Image API reference, "List images". */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { Condition } from '@cumulet/common/tables/condition';
import { SortedBy, sortOf, type Sort } from '@cumulet/common/tables/listing';
import type { Page } from '@cumulet/common/tables/page';
import { MEMBER_STATUSES } from './members/member.entity.js';
import { attributeFault } from './attribute-check.js';
import { listed, visible } from './image.access.js';
import { VISIBILITIES, type Image } from './image.entity.js';
import { imageFilters, tagFilter } from './image.filters.js';
import { noMarker } from './image.repository.js';
import { SIZE_COLUMN, statusColumn } from './image-status.js';

/** A query string as Fastify parses it: a repeated parameter has a list of values. */
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

/**
 * Parameters that are not filters, and `deleted`, which has never made a list show deleted images.
 */
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

/** To Glance an empty visibility is one that no image has, so it answers with an empty list. */
const NOTHING: Condition = () => 'false';

/** @throws InvalidInputError naming the parameter that is wrong */
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

/**
 * `sort=name:asc,size` or, in the older form, `sort_key=name&sort_dir=asc`; newest first by
 * default.
 */
function orderOf(query: RawQuery): Sort[] {
  const sort = single('sort', query);
  const order = sort === undefined ? olderOrder(query) : newerOrder(sort, query);
  for (const direction of order.sort_dir) chosen('sort_dir', direction, DIRECTIONS);
  return sortOf(order);
}

function newerOrder(sort: string, query: RawQuery): ImageOrder {
  if (query['sort_key'] !== undefined || query['sort_dir'] !== undefined) {
    throw new InvalidInputError('Invalid input: sort cannot stand beside sort_key and sort_dir.');
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
      `Invalid input: there are ${directions.length} of sort_dir and ${keys.length} of sort_key.`,
    );
  }
  return new ImageOrder(keys, directions);
}
