/** Which resources of a stack a user of it may read. Public source: Heat, `openstack/heat/access_policy.py`. */
import { StackValidationFailedError } from '../../template/template.errors.js';
import { list } from '../declare.js';
import { expressionOf, itemsOf } from '../implicit-requires.js';
import type { ResourceType } from '../resource-type.js';

export const accessPolicy: ResourceType = {
  name: 'OS::Heat::AccessPolicy',
  description:
    'Which resources of its stack a user of the stack may read; nothing is made of it, and this cloud has no such users.',
  properties: {
    AllowedResources: list('The names of the resources.', { required: true }),
  },
  attributes: {},

  /** None: a name is no reference. But it is one of the stack's. @throws StackValidationFailedError */
  implicitRequires(one, all) {
    for (const item of itemsOf(expressionOf(one, 'AllowedResources'))) {
      if (item.kind !== 'value' || typeof item.value !== 'string') continue;
      if (!Object.hasOwn(all, item.value))
        throw new StackValidationFailedError(`AccessPolicy resource ${item.value} not in stack`);
    }
    return [];
  },

  create: () => Promise.resolve({ physicalId: null }),
  remove: () => Promise.resolve(),
};
