/** Attributes of resources below, by the names that those above give them: `resource.web.first_address`. */
import type { NestedResource, NestedStacks } from '../../resource-types/resource-type.js';
import { ownOf, type Json } from '../../template/json.js';

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
