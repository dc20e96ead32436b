import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { rowOf } from '@cumulet/common/resources/classes';
import { equals } from '@cumulet/common/tables/condition';
import { AddressGroup } from '../../address-groups/address-group.resource.js';
import { GivenPrefix } from '../rules/security-group-rule.resource.js';
import { SecurityGroup } from '../security-group.resource.js';
import type { RuleMatch } from '../rules/rule-checks.js';
import { DefaultSecurityGroupRuleNotFoundError } from './default-rule.errors.js';
import { defaultRuleResource } from './default-rule.resource.js';
import { resourceTable } from '../../resource/resource.table.js';

/** A rule that new security groups start with. */
@Entity('default_security_group_rules')
@Index('default_security_group_rules_remote_idx', ['remoteGroupId'])
@Index('default_security_group_rules_address_group_idx', ['remoteAddressGroupId'])
@ForeignKey(() => SecurityGroup, ['remoteGroupId'], ['id'], {
  name: 'default_security_group_rules_remote_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => AddressGroup, ['remoteAddressGroupId'], ['id'], {
  name: 'default_security_group_rules_address_group_fkey',
})
export class DefaultSecurityGroupRule extends rowOf(defaultRuleResource.attributes, GivenPrefix) {
  /** Whether the remote group is the new group itself. */
  @Column('boolean', { name: 'remote_is_parent', default: false })
  remoteIsParent: boolean;
}

export const defaultRules = resourceTable(
  DefaultSecurityGroupRule,
  DefaultSecurityGroupRuleNotFoundError,
);

export type DefaultRuleUse = 'usedInDefaultSg' | 'usedInNonDefaultSg';

/** @returns the rules of a new group */
export async function defaultRulesFor(
  tx: RequestContext,
  groupId: string,
  use: DefaultRuleUse,
): Promise<RuleMatch[]> {
  const found = await defaultRules.select(tx, [equals(use, true)], 'ORDER BY created_at, id');
  return found.map((rule) => ({
    direction: rule.direction,
    ethertype: rule.ethertype,
    protocol: rule.protocol,
    portRangeMin: rule.portRangeMin,
    portRangeMax: rule.portRangeMax,
    remoteIpPrefix: rule.remoteIpPrefix,
    remoteGroupId: rule.remoteIsParent ? groupId : rule.remoteGroupId,
    remoteAddressGroupId: rule.remoteAddressGroupId,
  }));
}
