/** Public source: Heat template guide, "OpenStack Resource Types", OS::Heat::None. */
import type { ResourceType } from '../resource-type.js';

/** In place of a type that is to do nothing. */
export const none: ResourceType = {
  name: 'OS::Heat::None',
  description: 'Does nothing, whatever its properties; stands in for another type.',
  support: { status: 'SUPPORTED', version: '5.0.0' },
  properties: {},
  attributes: {},
  takesAnything: true,
  isAttribute: () => true,
  create: (scope) => Promise.resolve({ physicalId: scope.physicalName() }),
  update: () => Promise.resolve({}),
  remove: () => Promise.resolve(),
  read: ({ row }) => Promise.resolve({ id: row.physicalId }),
  attributesOf: (_, names) =>
    Promise.resolve(Object.fromEntries(names.map((name) => [name, null]))),
};
