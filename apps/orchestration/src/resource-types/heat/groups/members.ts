/** The members of a group as a template of their own. */
import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../../../template/json.js';
import type { Batch } from './batches.js';

export type Members = Readonly<Record<string, JsonObject>>;

/**
 * What there is after a batch.
 * @param old those that go, or become new, first
 * @param definitionOf what a member is to be
 * @param newName of a member that is added
 */
export function membersAfter(
  old: readonly (readonly [string, JsonObject])[],
  { size, renewed }: Batch,
  definitionOf: (name: string) => JsonObject,
  newName: () => string,
): Members {
  const kept = size === 0 ? [] : old.slice(-size);
  let left = renewed - (size - kept.length);
  const members = kept.map(([name, before]): [string, JsonObject] => {
    const wanted = definitionOf(name);
    if (left <= 0 || isDeepStrictEqual(before, wanted)) return [name, before];
    left -= 1;
    return [name, wanted];
  });
  while (members.length < size) {
    const name = newName();
    members.push([name, definitionOf(name)]);
  }
  return Object.fromEntries(members);
}

export function templateOf(members: Members): JsonObject {
  return { heat_template_version: '2021-04-16', resources: members };
}

/** Every text in it with the index in place of the variable. */
export function withIndex(value: Json, variable: string, index: string): Json {
  if (typeof value === 'string') return value.replaceAll(variable, index);
  if (Array.isArray(value))
    return (value as readonly Json[]).map((one) => withIndex(one, variable, index));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withIndex(one, variable, index)]),
  );
}
