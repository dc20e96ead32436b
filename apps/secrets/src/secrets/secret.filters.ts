/** Filters and sort keys of the list of secrets. */
import { invalid } from '@cumulet/common/errors/domain-error';
import { likeWithWildcards } from '@cumulet/common/languages/postgres-like';
import {
  compares,
  equals,
  isLike,
  type Comparison,
  type Condition,
} from '@cumulet/common/tables/condition';
import type { Sort } from '@cumulet/common/tables/listing';
import { timeOf } from '../http/time.js';

/** Equal, but that `%` stands for any text, as in Barbican. */
export function similar(property: string, text: string): Condition | undefined {
  if (text === '') return undefined;
  if (!text.includes('%')) return equals(property, text);
  return isLike(property, likeWithWildcards(text));
}

const COMPARISON = /^(?:(gt|gte|lt|lte):)?(.+)$/;

interface DateComparison {
  readonly how: Comparison;
  readonly time: Date;
}

export function isDateFilter(text: unknown): boolean {
  return typeof text === 'string' && comparisonsOf(text) !== undefined;
}

/** `gte:2030-01-01,lt:2030-02-01`. */
export function matchesDates(property: string, text: string): Condition {
  const conditions = (comparisonsOf(text) ?? []).map(({ how, time }) =>
    compares(property, how, time),
  );
  return (bind, column) => conditions.map((one) => one(bind, column)).join(' AND ');
}

function comparisonsOf(text: string): readonly DateComparison[] | undefined {
  const found = text.split(',').map((part): DateComparison | undefined => {
    const [, how = 'eq', moment = ''] = COMPARISON.exec(part.trim()) ?? [];
    const time = timeOf(moment);
    return time && { how: how as Comparison, time };
  });
  return found.every((one) => one !== undefined) ? found : undefined;
}

const SORT_KEYS: Readonly<Record<string, string>> = {
  algorithm: 'algorithm',
  bit_length: 'bitLength',
  created: 'createdAt',
  expiration: 'expiration',
  mode: 'mode',
  name: 'name',
  secret_type: 'secretType',
  updated: 'updatedAt',
};

/** `status` is accepted, and sorts nothing: it is the same for all. */
const KEYS: readonly string[] = [...Object.keys(SORT_KEYS), 'status'].sort();

/** @throws InvalidInputError for an unknown key or direction */
export function sortOf(text = ''): Sort[] {
  if (text === '') return [{ by: 'createdAt', descending: false }];
  const parts = text.split(',').map((part) => part.split(':'));
  const named = parts.map(([key]) => key);
  return parts.flatMap(([key = '', direction = 'asc', ...rest], at) => {
    if (!KEYS.includes(key)) throw new BadSortError(`'${key}' is not one of ${KEYS.join(', ')}`);
    if (!['asc', 'desc'].includes(direction) || rest.length > 0)
      throw new BadSortError(`'${[direction, ...rest].join(':')}' is neither asc nor desc`);
    if (named.indexOf(key) !== at) throw new BadSortError(`'${key}' is named twice`);
    const by = SORT_KEYS[key];
    return by === undefined ? [] : [{ by, descending: direction === 'desc' }];
  });
}

class BadSortError extends invalid((reason: string) => `Invalid input: sort: ${reason}.`) {}
