/**
 * A resource that is made of a template: its properties are the template's parameters, its attributes
 * the outputs. Public source: Heat template guide, "Template composition".
 */
import type { ExistingScope, ResourceType } from '../resource-type.js';
import { ownOf, type Json, type JsonObject } from '../../json/json.js';
import type { ResourceDefinition } from '../../template/read-template.js';
import { stackArn } from '../../template/parameters/pseudo-parameters.js';
import { nestedAttribute, outputErrors } from './nested-attributes.js';
import { nestedSteps } from './nested-steps.js';

/** The type of a resource that stands for a template. */
export const TEMPLATE_RESOURCE = 'Cumulet::TemplateResource';

/** The name of the type that a resource is made by. */
export function implementationOf({
  implementation,
}: Pick<ResourceDefinition, 'implementation'>): string {
  return implementation.kind === 'type' ? implementation.type : TEMPLATE_RESOURCE;
}

/** An output of this name is what `get_resource` gives. */
const REFERENCE = 'OS::stack_id';

export const templateResource: ResourceType = {
  name: TEMPLATE_RESOURCE,
  description: 'A resource that a template of the stack’s files describes.',
  properties: {},
  attributes: {},
  takesAnything: true,
  ...nestedSteps,

  async create({ nested, properties }) {
    return { physicalId: await nested.create(await nested.template(properties)) };
  },

  async update({ nested, properties }) {
    await nested.update(await nested.template(properties));
    return {};
  },

  isCreated: isWhole,
  isUpdated: isWhole,

  referenceOf: ({ data, physicalId }) => data['reference'] ?? physicalId,

  async allAttributes({ nested }) {
    return (await nested.outputs()).values;
  },

  async attributesOf({ nested, row }, names) {
    const told = await nested.outputs();
    const { values: outputs } = told;
    const values = names.map(async (name): Promise<[string, Json]> => [
      name,
      name === 'outputs'
        ? outputs
        : (ownOf(outputs, name) ?? (await nestedAttribute(nested, name)) ?? null),
    ]);
    const errors = outputErrors(row.name, told, new Map(names.map((name) => [name, name])));
    return { ...Object.fromEntries<Json>(await Promise.all(values)), ...errors };
  },
};

/** Keeps what the stack below is referred to by. */
async function isWhole(scope: ExistingScope): Promise<boolean> {
  if (!(await nestedSteps.isCreated(scope))) return false;
  const stack = { ...scope.stack, id: scope.row.physicalId, name: scope.physicalName() };
  const own = (await scope.nested.outputs()).values[REFERENCE];
  const data: JsonObject = { ...scope.row.data, reference: own ?? stackArn(stack) };
  await scope.keep(data);
  return true;
}
