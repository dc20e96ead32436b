/** The base of all types with a nested stack. */
import { ownOf, type Json, type JsonObject } from '../json/json.js';
import { stackArn } from '../template/parameters/parameter-view.js';
import type { ResourceDefinition } from '../template/read-template.js';
import { ATTRIBUTE_ERRORS } from '../template/evaluate.js';
import { NestedFailure } from './resource-type.errors.js';
import type {
  ExistingScope,
  NestedOutputs,
  NestedResource,
  NestedStacks,
  ResourceType,
} from './resource-type.js';

/** @returns whether its action is over. @throws NestedFailure with the nested stack's reason */
export async function isNestedDone(nested: NestedStacks): Promise<boolean> {
  const stack = await nested.find();
  if (!stack) throw new NestedFailure('The stack below is gone.');
  if (stack.status === 'FAILED') throw new NestedFailure(stack.reason);
  return stack.status === 'COMPLETE';
}

type NestedSteps = Required<
  Pick<
    ResourceType,
    | 'isCreated'
    | 'isUpdated'
    | 'isNested'
    | 'updatesFailed'
    | 'remove'
    | 'isRemoved'
    | 'read'
    | 'check'
    | 'isChecked'
    | 'suspend'
    | 'isSuspended'
    | 'resume'
    | 'isResumed'
  >
>;

const isDone = ({ nested }: ExistingScope): Promise<boolean> => isNestedDone(nested);

export const nestedSteps: NestedSteps = {
  isNested: true,
  updatesFailed: true,
  isCreated: isDone,
  isUpdated: isDone,
  remove: ({ nested }) => nested.remove(),
  async isRemoved({ nested }) {
    const stack = await nested.find();
    if (stack?.action === 'DELETE' && stack.status === 'FAILED')
      throw new NestedFailure(stack.reason);
    return stack === undefined;
  },
  async read({ nested }) {
    const stack = await nested.find();
    return stack && { ...stack };
  },
  check: ({ nested }) => nested.check(),
  isChecked: isDone,
  suspend: ({ nested }) => nested.suspend(),
  isSuspended: isDone,
  resume: ({ nested }) => nested.resume(),
  isResumed: isDone,
};

/**
 * The value of an attribute path: `resource.web` is the reference of a nested resource,
 * `resource.web.first_address` its attribute.
 * @returns undefined for another name or a missing resource
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

/** @param attribute empty for the reference */
export async function attributeOf(resource: NestedResource, attribute: string): Promise<Json> {
  if (attribute === '') return resource.reference();
  return ownOf(await resource.attributes([attribute]), attribute) ?? null;
}

/** Errors of outputs, under the reserved name. @param outputs the output of each attribute */
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

export const TEMPLATE_RESOURCE = 'Cumulet::TemplateResource';

export function implementationOf({
  implementation,
}: Pick<ResourceDefinition, 'implementation'>): string {
  return implementation.kind === 'type' ? implementation.type : TEMPLATE_RESOURCE;
}

/** The output that `get_resource` returns, if the template has it. */
const REFERENCE = 'OS::stack_id';

/**
 * A resource whose type is a template: its properties are the template's parameters, its attributes the
 * outputs. Public source: Heat template guide, "Template composition".
 */
export const templateResource: ResourceType = {
  name: TEMPLATE_RESOURCE,
  description: 'A resource that a template of the stack’s files describes.',
  properties: {},
  attributes: {},
  acceptsAnyProperty: true,
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
    const available = await nested.outputs();
    const { values: outputs } = available;
    const values = names.map(async (name): Promise<[string, Json]> => [
      name,
      name === 'outputs'
        ? outputs
        : (ownOf(outputs, name) ?? (await nestedAttribute(nested, name)) ?? null),
    ]);
    const errors = outputErrors(row.name, available, new Map(names.map((name) => [name, name])));
    return { ...Object.fromEntries<Json>(await Promise.all(values)), ...errors };
  },
};

/** Stores the reference of the nested stack. */
async function isWhole(scope: ExistingScope): Promise<boolean> {
  if (!(await nestedSteps.isCreated(scope))) return false;
  const stack = { ...scope.stack, id: scope.row.physicalId, name: scope.physicalName() };
  const own = (await scope.nested.outputs()).values[REFERENCE];
  const data: JsonObject = { ...scope.row.data, reference: own ?? stackArn(stack) };
  await scope.keep(data);
  return true;
}
