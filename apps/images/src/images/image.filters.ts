/**
 * What a list of images can be filtered by. Public source: Image API reference, "List images".
 *
 * Always holds: a parameter that is no attribute filters by the custom property of its name.
 */
import { isStorable } from '@cumulet/common/database/storable';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { attributeOf, isBaseAttribute } from './image.attributes.js';
import { SIZE_COLUMN, statesOf } from './image-status.js';
import type { Condition } from './sql-condition.js';

type Filter = (name: string, value: string) => Condition;

/** Numbers, each with a lower and an upper bound of its own: `size`, `size_min`, `size_max`. */
const NUMBERS: Readonly<Record<string, string>> = {
  size: SIZE_COLUMN,
  virtual_size: 'virtual_size',
  min_ram: 'min_ram',
  min_disk: 'min_disk',
};

const FILTERS: Readonly<Record<string, Filter>> = {
  id: oneOf('id::text', (id) => [id.toLowerCase()]),
  name: oneOf('name'),
  status: oneOf('state', statesOf),
  container_format: oneOf('container_format'),
  disk_format: oneOf('disk_format'),
  owner: equal('owner'),
  checksum: equal('checksum'),
  os_hash_value: equal('hash_value'),
  ...Object.fromEntries(
    Object.entries(NUMBERS).flatMap(([name, column]) => [
      [name, number(column, '=')],
      [`${name}_min`, number(column, '>=')],
      [`${name}_max`, number(column, '<=')],
    ]),
  ),
  protected: flag('protected'),
  os_hidden: flag('os_hidden'),
  created_at: time('created_at'),
  updated_at: time('updated_at'),
  'changes-since': () => {
    throw new InvalidInputError('Invalid input: changes-since is gone; filter by updated_at.');
  },
};

/** @throws InvalidInputError naming the parameter whose value no image can match */
export function imageFilter(name: string, value: string): Condition {
  if (!isStorable(name) || !isStorable(value)) throw refused(name, value, 'must hold no NUL');
  const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
  if (filter) return filter(name, value);
  if (isBaseAttribute(name)) {
    throw new InvalidInputError(`Invalid input: images cannot be filtered by ${name}.`);
  }
  return (bind) => `properties @> ${bind(JSON.stringify({ [name]: value }))}::jsonb`;
}

/** All of the tags must be there. */
export function tagFilter(tags: readonly string[]): Condition {
  for (const tag of tags) if (!isStorable(tag)) throw refused('tag', tag, 'must hold no NUL');
  return (bind) => `tags @> ${bind(tags)}::text[]`;
}

function refused(name: string, value: string, rule: string): InvalidInputError {
  return new InvalidInputError(`Invalid input: ${name} ${rule}; ${JSON.stringify(value)} is not.`);
}

function equal(column: string): Filter {
  return (_name, value) => (bind) => `${column} = ${bind(value)}`;
}

/**
 * A value, also as `eq:one`, or `in:one,"two, quoted",three`.
 * @param stored what the column holds for a value; the value itself unless given
 */
function oneOf(column: string, stored: (value: string) => string[] = (value) => [value]): Filter {
  return (name, text) => {
    const values = text.startsWith('in:')
      ? quotedList(name, text.slice(3))
      : [text.replace(/^eq:/, '')];
    const allowed: readonly (string | null)[] | undefined = attributeOf(name)?.enum;
    for (const one of values) {
      // Nothing has an empty status or format, and Glance says so with an empty list.
      if (allowed && one !== '' && !allowed.includes(one)) {
        throw refused(name, one, `must be one of ${allowed.filter(Boolean).join(', ')}`);
      }
    }
    return (bind) => `${column} = ANY(${bind(values.flatMap(stored))}::text[])`;
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

function number(column: string, operator: string): Filter {
  return (name, value) => {
    if (!/^\d{1,15}$/.test(value)) throw refused(name, value, 'must be a number');
    return (bind) => `${column} ${operator} ${bind(value)}::bigint`;
  };
}

function flag(column: string): Filter {
  return (name, value) => {
    const word = value.toLowerCase();
    if (word !== 'true' && word !== 'false') throw refused(name, value, 'must be true or false');
    return (bind) => `${column} = ${bind(word === 'true')}`;
  };
}

const COMPARISONS: Readonly<Record<string, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

const ISO_TIME = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** `gt:2026-01-31T12:00:00Z`, to the second that views show. */
function time(column: string): Filter {
  return (name, value) => {
    const [, word = 'eq', text = ''] = /^(?:([a-z]+):)?(.*)$/.exec(value) ?? [];
    const comparison = Object.hasOwn(COMPARISONS, word) ? COMPARISONS[word] : undefined;
    const at = ISO_TIME.test(text) ? Date.parse(inUtc(text)) : NaN;
    if (comparison === undefined || Number.isNaN(at)) {
      throw refused(name, value, 'must be an operator such as gt and a time in ISO 8601');
    }
    return (bind) => `date_trunc('second', ${column}) ${comparison} ${bind(new Date(at))}`;
  };
}

/** A time without an offset is meant in UTC. */
function inUtc(text: string): string {
  return /T|:/.test(text) && !/(Z|[+-]\d\d:?\d\d)$/.test(text) ? `${text}Z` : text;
}
