/** The template of a group's members. */
import type { Properties } from '../../../constraints/property-schema.js';
import { PropertyError } from '../../../constraints/property.errors.js';
import { isList, isMap, ownOf, type Json, type JsonObject } from '../../../json/json.js';
import { isSame } from '../../../json/same-json.js';
import { attributeOf } from '../../nested-type.js';
import { numberIn } from '../../property-values.js';
import type { NestedResource } from '../../resource-type.js';

export type Members = Readonly<Record<string, JsonObject>>;

/**
 * The members after a batch.
 * @param old those to remove or replace first
 * @param definitionOf a member's new definition
 * @param newName of an added member
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

/** Far more than a stack may have; a larger group is refused before its template is written. */
const MAX_MEMBERS = 100_000;

/** @param name of the property with the size. @throws PropertyError */
export function checkSize(properties: Properties, name: string): void {
  const size = numberIn(properties, name) ?? 0;
  if (size > MAX_MEMBERS)
    throw new PropertyError(name, `${size} members are more than a stack may have`);
}

export function templateOf(members: Members): JsonObject {
  return { heat_template_version: '2021-04-16', resources: members };
}

/** Replaces the variable by the index in every text. */
export function withIndex(value: Json, variable: string, index: string): Json {
  if (typeof value === 'string') return value.replaceAll(variable, index);
  if (isList(value)) return value.map((one) => withIndex(one, variable, index));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withIndex(one, variable, index)]),
  );
}

/** The size of the group after a step, and the number of members that it renews. */
export interface Batch {
  readonly size: number;
  readonly renewed: number;
}

export interface BatchLimits {
  readonly minInService: number;
  readonly maxBatchSize: number;
}

/**
 * Splits a change of a group into batches that keep some members in service. Pure.
 *
 * @param current number of members, all of which need the change
 */
export function batchesOf(target: number, current: number, limits: BatchLimits): Batch[] {
  const batches: Batch[] = [];
  let size = current;
  let done = 0;
  while (size !== target || done < size) {
    const batch = nextBatch(target, size, done, limits);
    batches.push(batch);
    done += batch.renewed - Math.max(batch.size - Math.max(size, target), 0);
    // A batch that neither resizes nor renews would repeat forever.
    if (batch.size === size && batch.renewed === 0) break;
    size = batch.size;
  }
  return batches;
}

function nextBatch(
  target: number,
  size: number,
  done: number,
  { minInService, maxBatchSize }: BatchLimits,
): Batch {
  const kept = Math.min(minInService, target, size);
  const renewed = Math.min(maxBatchSize, Math.max(target - done, 0));
  return { size: renewed + Math.max(Math.min(size, target - renewed), kept), renewed };
}

/** An attribute of each member, by its name: `{ first_address: { 0: …, 1: … } }`. */
export async function attributesByName(members: readonly NestedResource[]): Promise<JsonObject> {
  const all = await Promise.all(members.map((one) => one.attributes(['*'])));
  const names = new Set(all.flatMap((one) => Object.keys(one)));
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      Object.fromEntries(members.map((one, at) => [one.name, ownOf(all[at] ?? {}, name) ?? null])),
    ]),
  );
}

export function referencesOf(members: readonly NestedResource[]): Json[] {
  return members.map((one) => one.reference());
}

export function referencesByName(members: readonly NestedResource[]): JsonObject {
  return Object.fromEntries(members.map((one) => [one.name, one.reference()]));
}

/** For groups with `attributes`, and members' attributes as lists. */
export function stepsToMembers(attribute: string): number | undefined {
  if (attribute === 'attributes') return 1;
  const isOwn = ['refs', 'refs_map', 'removed_rsrc_list'].includes(attribute);
  return isOwn || attribute.startsWith('resource.') ? undefined : 0;
}

export function listOfEach(members: readonly NestedResource[], attribute: string): Promise<Json[]> {
  return Promise.all(members.map((one) => attributeOf(one, attribute)));
}

/** The value of `resource.<which>[.<attribute>]`; undefined for other names, null if missing. */
export async function memberAttribute(
  name: string,
  find: (which: string) => NestedResource | undefined,
): Promise<Json | undefined> {
  const [, which, attribute = ''] = /^resource\.([^.]+)(?:\.(.*))?$/s.exec(name) ?? [];
  if (which === undefined) return undefined;
  const member = find(which);
  return member ? attributeOf(member, attribute) : null;
}
