/** The members of a group as a template of their own. */
import { isList, isMap, type Json, type JsonObject } from '../../../json/json.js';
import { isSame } from '../../../json/same-json.js';
import { numberIn } from '../../property-values.js';
import type { Batch } from './batches.js';
import { PropertyError } from '../../../constraints/property.errors.js';
import type { Properties } from '../../../constraints/property-schema.js';

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
    if (left <= 0 || isSame(before, wanted)) return [name, before];
    left -= 1;
    return [name, wanted];
  });
  while (members.length < size) {
    const name = newName();
    members.push([name, definitionOf(name)]);
  }
  return Object.fromEntries(members);
}

/** Far more than any stack may have: what is larger is not even written down. */
const MAX_MEMBERS = 100_000;

/** @param name of the property that says how many. @throws PropertyError */
export function checkSize(properties: Properties, name: string): void {
  const size = numberIn(properties, name) ?? 0;
  if (size > MAX_MEMBERS)
    throw new PropertyError(name, `${size} members are more than a stack may have`);
}

export function templateOf(members: Members): JsonObject {
  return { heat_template_version: '2021-04-16', resources: members };
}

/** Every text in it with the index in place of the variable. */
export function withIndex(value: Json, variable: string, index: string): Json {
  if (typeof value === 'string') return value.replaceAll(variable, index);
  if (isList(value)) return value.map((one) => withIndex(one, variable, index));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withIndex(one, variable, index)]),
  );
}
