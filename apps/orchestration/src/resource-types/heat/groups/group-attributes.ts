/** Attributes of groups, which are those of their members put together. */
import { attributeOf } from '../../nested/nested-attributes.js';
import { ownOf, type Json, type JsonObject } from '../../../json/json.js';
import type { NestedResource } from '../../resource-type.js';

/** Each attribute of members, as a map by their names: `{ first_address: { 0: …, 1: … } }`. */
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

/** Of groups whose attributes are `attributes`, and those of their members as lists. */
export function stepsToMembers(attribute: string): number | undefined {
  if (attribute === 'attributes') return 1;
  const isOwn = ['refs', 'refs_map', 'removed_rsrc_list'].includes(attribute);
  return isOwn || attribute.startsWith('resource.') ? undefined : 0;
}

/** One attribute of each. */
export function listOf(members: readonly NestedResource[], attribute: string): Promise<Json[]> {
  return Promise.all(members.map((one) => attributeOf(one, attribute)));
}

/**
 * Of the name `resource.<which>` or `resource.<which>.<attribute>`.
 * @returns undefined for another name; null for a member that there is not
 */
export async function memberAttribute(
  name: string,
  find: (which: string) => NestedResource | undefined,
): Promise<Json | undefined> {
  const [, which, attribute = ''] = /^resource\.([^.]+)(?:\.(.*))?$/s.exec(name) ?? [];
  if (which === undefined) return undefined;
  const member = find(which);
  return member ? attributeOf(member, attribute) : null;
}
