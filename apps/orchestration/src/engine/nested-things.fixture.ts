/** A type with a nested stack, whose resources are its property. */
import type { NestedTemplate, ResourceType } from '../resource-types/resource-type.js';
import type { JsonObject } from '../json/json.js';
import { nestedSteps } from '../resource-types/nested-type.js';
import type { Properties } from '../constraints/property-schema.js';

export const NESTED = 'Test::Stack';

export const nestedThings: ResourceType = {
  name: NESTED,
  description: 'A stack of a test.',
  properties: {
    resources: { type: 'any', description: 'Those of the stack below.', updatable: true },
  },
  attributes: {},
  ...nestedSteps,
  create: async ({ nested, properties }) => ({
    physicalId: await nested.create(templateOf(properties)),
  }),
  async update({ nested, properties }) {
    await nested.update(templateOf(properties));
    return {};
  },
};

function templateOf({ resources = {} }: Properties): NestedTemplate {
  return { template: { resources: resources as JsonObject }, environment: {}, files: {} };
}
