/** Public source: octavia, `api/v2/types/l7rule.py`; Load Balancer API v2 reference, "L7 Rules". */
import { attribute, type ChangeBody, type NewBody } from '@cumulet/common/resources/attribute';
import { flag, oneOf, orNull, text } from '@cumulet/common/resources/value-type';
import { defineResource } from '../resources/resource.js';
import { withDefault } from '../resources/values.js';
import { COMPARE_TYPES, RULE_TYPES } from './rule-checks.js';

export const l7RuleResource = defineResource({
  singular: 'rule',
  plural: 'rules',
  attributes: {
    type: attribute(oneOf(RULE_TYPES), {
      about: 'What of a request it looks at.',
      required: true,
    }),
    compareType: attribute(oneOf(COMPARE_TYPES), {
      about: 'How that is compared with the value.',
      required: true,
    }),
    key: attribute(orNull(text()), {
      about: 'Of headers, cookies and distinguished names: which.',
    }),
    value: attribute(text(), { about: 'What it is compared with.', required: true }),
    invert: withDefault(flag, false, { about: 'Whether it holds where the comparison does not.' }),
  },
});

export type L7RuleAttributes = (typeof l7RuleResource)['attributes'];
export type NewL7Rule = NewBody<L7RuleAttributes>;
export type L7RuleChange = ChangeBody<L7RuleAttributes>;
