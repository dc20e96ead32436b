/** Which resources of a stack a user of it may read. Public source: Heat, `openstack/heat/access_policy.py`. */
import { StackValidationFailedError } from '../../template/template.errors.js';
import { list } from '../declare.js';
import { expressionOf, itemsOf } from '../implicit-requires.js';
import type { ResourceType } from '../resource-type.js';

export const accessPolicy: ResourceType = {
  name: 'OS::Heat::AccessPolicy',
  description:
    'Which resources of its stack an AWS::IAM::User may read by the API of CloudFormation, which this cloud does not have: nothing is made of it.',
  properties: {
    AllowedResources: list('The names of the resources.', { required: true }),
  },
  attributes: {},

  /** A name is no reference, but is one of the stack's. @throws StackValidationFailedError */
  validateAmong(one, all) {
    for (const item of itemsOf(expressionOf(one, 'AllowedResources'))) {
      if (item.kind !== 'value' || typeof item.value !== 'string') continue;
      if (!Object.hasOwn(all, item.value))
        throw new StackValidationFailedError(`AccessPolicy resource ${item.value} not in stack`);
    }
  },

  create: () => Promise.resolve({ physicalId: null }),
  remove: () => Promise.resolve(),
};
