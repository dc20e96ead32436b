/** Public source: octavia, `api/v2/types/l7policy.py`; Load Balancer API v2 reference, "L7 Policies". */
import { attribute, type ChangeBody, type NewBody } from '@cumulet/common/resources/attribute';
import { nested } from '@cumulet/common/resources/nested';
import { integer, listOf, oneOf, orNull, uuid } from '@cumulet/common/resources/value-type';
import { l7RuleResource } from '../l7-rules/l7-rule.resource.js';
import {
  DESCRIPTION,
  defineResource,
  NAME,
  OF_LOAD_BALANCER,
  UNLISTED,
} from '../resources/resource.js';
import type { L7Policy } from '../tree/l7-policy.entity.js';
import { ACTIONS, REDIRECT_CODES, redirectUrl } from './policy-action.js';
import { LAST } from './positions.js';

export const l7PolicyResource = defineResource({
  singular: 'l7policy',
  plural: 'l7policies',
  attributes: {
    ...NAME,
    ...DESCRIPTION,
    action: attribute(oneOf(ACTIONS), {
      about: 'What becomes of a request that all rules hold of.',
      required: true,
    }),
    listenerId: attribute(uuid, {
      about: 'The listener whose requests it looks at.',
      required: true,
      given: 'at-creation',
    }),
    redirectPoolId: attribute(orNull(uuid), { about: 'Of REDIRECT_TO_POOL: the pool.' }),
    redirectUrl: attribute(orNull(redirectUrl), { about: 'Of REDIRECT_TO_URL: the URL.' }),
    redirectPrefix: attribute(orNull(redirectUrl), {
      about: 'Of REDIRECT_PREFIX: the URL that the path is put behind.',
    }),
    redirectHttpCode: attribute(orNull(oneOf(REDIRECT_CODES)), {
      about: 'The status of a redirection to a URL; 302 by default.',
    }),
    position: attribute(orNull(integer(1, LAST)), {
      default: LAST,
      about: "Its place among the listener's policies, from 1; the last by default.",
    }),
    rules: attribute(listOf(nested(l7RuleResource)), {
      about: 'Its rules; in answers, their ids.',
      default: [],
      given: 'at-creation',
      from: ({ ruleIds }: L7Policy) => ruleIds.map((id) => ({ id })),
      ...UNLISTED,
    }),
  },
  filters: OF_LOAD_BALANCER,
});

export type L7PolicyAttributes = (typeof l7PolicyResource)['attributes'];
export type NewL7Policy = NewBody<L7PolicyAttributes>;
export type L7PolicyChange = ChangeBody<L7PolicyAttributes>;
