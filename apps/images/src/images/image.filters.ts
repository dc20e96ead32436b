/**
 * What a list of images can be filtered by. Public source: Image API reference, "List images".
 *
 * Always holds: a parameter that is no attribute filters by the custom property of that name.
 */
import { isStorable } from '@cumulet/common/database/storable';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import {
  compares,
  equals,
  holds,
  isComparison,
  oneOf,
  type Comparison,
  type Condition,
  type Expression,
} from '@cumulet/common/tables/condition';
import { attributeOf, isBaseAttribute } from './image.attributes.js';
import { SIZE_COLUMN, statesOf } from './image-status.js';

/** No client asks for more, and each costs time. */
const MAX_VALUES = 500;

type Filter = (name: string, value: string) => Condition;

/** Numbers, each with a lower and an upper bound of its own: `size`, `size_min`, `size_max`. */
const NUMBERS: Readonly<Record<string, Expression>> = {
  size: { sql: SIZE_COLUMN },
  virtual_size: 'virtualSize',
  // Values may be beyond what the column can hold.
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
 * All of the parameters must hold. Custom properties make one condition: of hundreds, Postgres would
 * plan each by itself.
 * @throws InvalidInputError naming the parameter whose value no image can match
 */
export function imageFilters(parameters: readonly (readonly [string, string])[]): Condition[] {
  const properties: [string, string][] = [];
  const conditions: Condition[] = [];
  for (const [name, value] of parameters) {
    if (!isStorable(name) || !isStorable(value)) throw refused(name, value, 'must hold no NUL');
    const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
    if (filter) conditions.push(filter(name, value));
    else if (isBaseAttribute(name))
      throw new InvalidInputError(`Invalid input: images cannot be filtered by ${name}.`);
    else properties.push([name, value]);
  }
  if (properties.length === 0) return conditions;
  return [...conditions, holds('properties', Object.fromEntries(properties))];
}

/** All of the tags must be there. */
export function tagFilter(tags: readonly string[]): Condition {
  for (const tag of tags) if (!isStorable(tag)) throw refused('tag', tag, 'must hold no NUL');
  return holds('tags', tags);
}

function refused(name: string, value: string, rule: string): InvalidInputError {
  return new InvalidInputError(`Invalid input: ${name} ${rule}; ${JSON.stringify(value)} is not.`);
}

function equal(property: string): Filter {
  return (_name, value) => equals(property, value);
}

/**
 * A value, which may also be given as `eq:one` or `in:one,"two, quoted",three`.
 * @param stored what the column holds for a value; the value itself unless given
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
      // Nothing has an empty status or format: like Glance, this answers with an empty list.
      if (allowed && one !== '' && !allowed.includes(one)) {
        throw refused(name, one, `must be one of ${allowed.filter(Boolean).join(', ')}`);
      }
    }
    return oneOf(column, values.flatMap(stored));
  };
}

/** `a,"b, c"` as `a` and `b, c`; a backslash keeps the quote after it. An empty list has no value. */
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

/** `gt:2026-01-31T12:00:00Z`, to the second that views show. */
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
