/** Attributes of resources below, by the names that those above give them: `resource.web.first_address`. */
import type { NestedOutputs, NestedResource, NestedStacks } from '../resource-type.js';
import { ownOf, type Json, type JsonObject } from '../../json/json.js';
import { ATTRIBUTE_ERRORS } from '../../template/references.js';

/**
 * `resource.web`, what `get_resource` gives of it; `resource.web.first_address`, its attribute.
 * @returns undefined for another name, and for what is not there
 */
export async function nestedAttribute(
  nested: NestedStacks,
  name: string,
): Promise<Json | undefined> {
  if (!name.startsWith('resource.')) return undefined;
  const rest = name.slice('resource.'.length);
  const resources = await nested.resources();
  const found = resources
    .filter((one) => rest === one.name || rest.startsWith(`${one.name}.`))
    .sort((one, other) => other.name.length - one.name.length)[0];
  return found && attributeOf(found, rest.slice(found.name.length + 1));
}

/** @param attribute empty for what `get_resource` gives */
export async function attributeOf(resource: NestedResource, attribute: string): Promise<Json> {
  if (attribute === '') return resource.reference();
  return ownOf(await resource.attributes([attribute]), attribute) ?? null;
}

/**
 * Among attributes: why those cannot be said whose outputs cannot. Nothing where all can.
 * @param outputs by the names of attributes, those that they are
 */
export function outputErrors(
  resource: string,
  { errors }: NestedOutputs,
  outputs: ReadonlyMap<string, string>,
): JsonObject {
  const failed = [...outputs].flatMap(([name, output]): [string, Json][] => {
    const error = ownOf(errors, output);
    return error === undefined ? [] : [[name, `Error in ${resource} output ${output}: ${error}`]];
  });
  return failed.length === 0 ? {} : { [ATTRIBUTE_ERRORS]: Object.fromEntries(failed) };
}
