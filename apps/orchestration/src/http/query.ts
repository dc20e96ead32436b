/**
 * Queries as Heat reads them: a parameter may be repeated, unknown names are ignored, and a bad
 * value is refused in Heat's words. Public source: heat, `common/param_utils.py`.
 */
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { valuesOf, type Query } from '@cumulet/common/resources/list-query';
import { stringifyExact } from '../json/exact-json.js';

export type { Query } from '@cumulet/common/resources/list-query';

/** @throws InvalidInputError for anything but true and false */
export function flagOf(query: Query, name: string, fallback = false): boolean {
  const [value] = valuesOf(query, name);
  return value === undefined ? fallback : flag(name, value);
}

export function flag(name: string, value: unknown): boolean {
  const word = typeof value === 'boolean' || typeof value === 'string' ? String(value) : '';
  const lower = word.toLowerCase();
  if (lower === 'true' || lower === 'false') return lower === 'true';
  throw new InvalidInputError(
    `Unrecognized value "${shown(value)}" for "${name}", acceptable values are: true, false.`,
  );
}

/** At least 0; undefined if absent. @throws InvalidInputError */
export function integerOf(query: Query, name: string): number | undefined {
  const [value] = valuesOf(query, name);
  return value === undefined ? undefined : integer(name, value);
}

export function integer(name: string, value: unknown): number {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  if (!/^-?\d{1,9}$/.test(text))
    throw new InvalidInputError(
      `Only integer is acceptable by '${name}': '${shown(value)}' is not an integer.`,
    );
  if (Number(text) >= 0) return Number(text);
  throw new InvalidInputError(
    `Value '${text}' is invalid for '${name}' which only accepts non-negative integer.`,
  );
}

/** Undefined if absent. @throws InvalidInputError */
export function idIfAny(query: Query, name: string): string | undefined {
  const [value] = valuesOf(query, name);
  const fits: boolean = value === undefined || isUuid(value);
  if (fits) return value;
  throw new InvalidInputError(`Invalid input: ${name} '${shown(value)}' is not an id.`);
}

/** `asc` or `desc`; undefined if absent. @throws InvalidInputError */
export function directionOf(query: Query): 'asc' | 'desc' | undefined {
  const [value] = valuesOf(query, 'sort_dir');
  if (value === undefined || value === 'asc' || value === 'desc') return value;
  throw new InvalidInputError(`Invalid input: sort_dir '${shown(value)}' is not one of asc, desc.`);
}

const MAX_TAG = 80;

/** Separated by commas. @throws InvalidInputError */
export function tagsOf(text: string): string[] {
  const tags = text.split(',');
  const long = tags.find((tag) => tag.length > MAX_TAG);
  if (long !== undefined)
    throw new InvalidInputError(
      `Invalid tag, "${shown(long)}" is longer than ${MAX_TAG} characters`,
    );
  return tags;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : stringifyExact(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** Whether an administrator asks for all projects. @throws ForbiddenError for other callers */
export function isOfAllProjects({ isAdmin }: RequestContext, query: Query): boolean {
  if (!flagOf(query, 'global_tenant')) return false;
  if (isAdmin) return true;
  throw new ForbiddenError('global_tenant needs the role admin.');
}
