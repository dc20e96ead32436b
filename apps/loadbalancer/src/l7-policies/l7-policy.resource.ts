import { attribute, type ChangeBody, type NewBody } from '@cumulet/common/resources/attribute';
import { nested } from '../resources/nested.js';
import { listOf } from '@cumulet/common/resources/value-type';
import {
  DESCRIPTION,
  defineResource,
  NAME,
  OF_LOAD_BALANCER,
  UNLISTED,
} from '../resources/resource.js';
import { asIds } from '../resources/values.js';
import { type L7Policy, L7_POLICY } from '../tree/l7-policy.entity.js';
import { l7RuleResource } from '../tree/l7-rule.resource.js';

export const l7PolicyResource = defineResource({
  singular: 'l7policy',
  plural: 'l7policies',
  attributes: {
    ...NAME,
    ...DESCRIPTION,
    ...L7_POLICY,
    rules: attribute(listOf(nested(l7RuleResource)), {
      about: 'The rules. Responses list their IDs.',
      default: [],
      given: 'at-creation',
      from: ({ ruleIds }: L7Policy) => asIds(ruleIds),
      ...UNLISTED,
    }),
  },
  filters: OF_LOAD_BALANCER,
});

export type L7PolicyAttributes = typeof l7PolicyResource.attributes;
export type NewL7Policy = NewBody<L7PolicyAttributes>;
export type L7PolicyChange = ChangeBody<L7PolicyAttributes>;
