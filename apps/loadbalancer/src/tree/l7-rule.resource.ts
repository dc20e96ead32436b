/** Public source: octavia, `api/v2/types/l7rule.py`; Load Balancer API v2 reference, "L7 Rules". */
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { attribute, type ChangeBody, type NewBody } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { flag, oneOf, orNull, text } from '@cumulet/common/resources/value-type';
import { COMPARE_TYPES, RULE_TYPES } from '../data-plane/balancer-spec.js';
import { defineResource } from '../resources/resource.js';
import { withDefault } from '../resources/values.js';
import { L7Policy } from './l7-policy.entity.js';
import { LoadBalancer } from './load-balancer.entity.js';
import { PartColumns } from './tree.columns.js';

const L7_RULE = {
  type: attribute(oneOf(RULE_TYPES), {
    about: 'The part of the request that is compared.',
    required: true,
  }),
  compareType: attribute(oneOf(COMPARE_TYPES), {
    about: 'How it is compared with the value.',
    required: true,
  }),
  key: attribute(orNull(text()), {
    about: 'The name of the header, cookie or field of the distinguished name.',
  }),
  value: attribute(text(), { about: 'The value that it is compared with.', required: true }),
  invert: withDefault(flag, false, {
    about: 'Whether the result of the comparison is inverted.',
  }),
};

@Entity('l7_rules')
@Index('l7_rules_project_idx', ['projectId', 'createdAt', 'id'])
@Index('l7_rules_load_balancer_idx', ['loadBalancerId'])
@Index('l7_rules_l7_policy_idx', ['l7PolicyId', 'id'])
@ForeignKey(() => LoadBalancer, ['loadBalancerId'], ['id'], {
  name: 'l7_rules_load_balancer_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => L7Policy, ['l7PolicyId'], ['id'], {
  name: 'l7_rules_l7_policy_fkey',
  onDelete: 'CASCADE',
})
export class L7Rule extends rowOf(L7_RULE, PartColumns) {
  @Column('uuid', { name: 'l7_policy_id' })
  l7PolicyId: string;
}

export const l7RuleResource = defineResource({
  singular: 'rule',
  plural: 'rules',
  attributes: L7_RULE,
});

export type L7RuleAttributes = typeof l7RuleResource.attributes;
export type NewL7Rule = NewBody<L7RuleAttributes>;
export type L7RuleChange = ChangeBody<L7RuleAttributes>;
