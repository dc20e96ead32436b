/** The rules that new security groups begin with, as rows. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import type { RuleMatch } from '../rules/rule-checks.js';
import { DefaultSecurityGroupRule } from './default-rule.entity.js';
import { DefaultSecurityGroupRuleNotFoundError } from './default-rule.errors.js';

export const defaultRules = new Table(DefaultSecurityGroupRule, {
  missing: (key) =>
    new DefaultSecurityGroupRuleNotFoundError(typeof key === 'string' ? key : key.id),
  touched: 'updatedAt',
});

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
