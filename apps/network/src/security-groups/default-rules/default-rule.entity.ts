import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals } from '@cumulet/common/tables/condition';
import { AddressGroup } from '../../address-groups/address-group.entity.js';
import { RuleColumns } from '../rules/rule.columns.js';
import { SecurityGroup } from '../security-group.entity.js';
import type { RuleMatch } from '../rules/rule-checks.js';
import { DefaultSecurityGroupRuleNotFoundError } from './default-rule.errors.js';
import { resourceTable } from '../../resource/resource.columns.js';

/** A rule that new security groups begin with. */
@Entity('default_security_group_rules')
@Index('default_security_group_rules_remote_idx', ['remoteGroupId'])
@Index('default_security_group_rules_address_group_idx', ['remoteAddressGroupId'])
export class DefaultSecurityGroupRule extends RuleColumns {
  @Column('uuid', { name: 'remote_group_id', nullable: true })
  @ForeignKey(() => SecurityGroup, {
    name: 'default_security_group_rules_remote_fkey',
    onDelete: 'CASCADE',
  })
  remoteGroupId: string | null;

  /** Whether the ports on the other side are those of the new group itself. */
  @Column('boolean', { name: 'remote_is_parent', default: false })
  remoteIsParent: boolean;

  @Column('uuid', { name: 'remote_address_group_id', nullable: true })
  @ForeignKey(() => AddressGroup, { name: 'default_security_group_rules_address_group_fkey' })
  remoteAddressGroupId: string | null;

  /** Whether the default group of each new project begins with it. */
  @Column('boolean', { name: 'used_in_default_sg', default: false })
  usedInDefaultSg: boolean;

  /** Whether all other new groups do. */
  @Column('boolean', { name: 'used_in_non_default_sg', default: true })
  usedInNonDefaultSg: boolean;
}

/** The rules that new security groups begin with, as rows. */
export const defaultRules = resourceTable(
  DefaultSecurityGroupRule,
  DefaultSecurityGroupRuleNotFoundError,
);

export type DefaultRuleUse = 'usedInDefaultSg' | 'usedInNonDefaultSg';

/** @returns what the rules of a new group are to say */
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
