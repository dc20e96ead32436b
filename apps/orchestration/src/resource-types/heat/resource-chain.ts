/** Public source: Heat template guide, "OpenStack Resource Types", OS::Heat::ResourceChain. */
import { nestedSteps } from '../nested/nested-steps.js';
import type { Json, JsonObject } from '../../json/json.js';
import { attribute, flag, list, map, UPDATABLE } from '../declare.js';
import { flagIn, listIn, mapIn, textsIn, textsOf } from '../property-values.js';
import type { NestedTemplate, ResourceScope, ResourceType } from '../resource-type.js';
import {
  attributesByName,
  listOf,
  memberAttribute,
  referencesOf,
  stepsToMembers,
} from './groups/group-attributes.js';
import { templateOf } from './groups/members.js';

export const resourceChain: ResourceType = {
  name: 'OS::Heat::ResourceChain',
  description: 'Resources of several types with the same properties, one after the other.',
  support: { status: 'SUPPORTED', version: '6.0.0' },
  properties: {
    resources: list('Types of the resources, in their order.', { required: true, ...UPDATABLE }),
    concurrent: flag('Whether they are made at the same time.', { default: false }),
    resource_properties: map('Properties of each of them.'),
  },
  attributes: {
    refs: attribute('list', 'References of the resources.'),
    attributes: attribute('map', 'Attributes of the resources, each by their names.'),
  },
  isAttribute: () => true,
  stepsToMembers,
  memberTypes: (properties) => textsOf(listIn(properties, 'resources') ?? []),
  ...nestedSteps,

  async create(scope) {
    return { physicalId: await scope.nested.create(await nestedTemplate(scope)) };
  },

  async update(scope) {
    await scope.nested.update(await nestedTemplate(scope));
    return {};
  },

  async attributesOf({ nested }, names) {
    const found = await nested.resources();
    const members = found.toSorted((one, other) => Number(one.name) - Number(other.name));
    const values = names.map(async (name): Promise<[string, Json]> => {
      if (name === 'refs') return [name, referencesOf(members)];
      if (name === 'attributes') return [name, await attributesByName(members)];
      const one = await memberAttribute(name, (which) =>
        members.find((each) => each.name === which),
      );
      return [name, one === undefined ? await listOf(members, name) : one];
    });
    return Object.fromEntries(await Promise.all(values));
  },
};

async function nestedTemplate(scope: ResourceScope): Promise<NestedTemplate> {
  const { properties } = scope;
  const own = mapIn(properties, 'resource_properties');
  const isOrdered = flagIn(properties, 'concurrent') !== true;
  const members = (textsIn(properties, 'resources') ?? []).map((type, at): [string, JsonObject] => [
    String(at),
    {
      type,
      ...(own ? { properties: own } : {}),
      ...(isOrdered && at > 0 ? { depends_on: [String(at - 1)] } : {}),
    },
  ]);
  const template = templateOf(Object.fromEntries(members));
  return { template, ...(await scope.nested.surroundings()) };
}
