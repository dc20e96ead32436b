import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { transactionLocks } from '@cumulet/common/database/advisory-lock';
import { equals, type Condition } from '@cumulet/common/tables/condition';
import { addressGroups } from '../../address-groups/address-groups.service.js';
import { ResourceService } from '../../resource/resource.service.js';
import { canonicalRule, checkRule } from '../rules/rule-checks.js';
import { securityGroups } from '../default-group.js';
import { visibleGroups } from '../security-groups.service.js';
import { defaultRules, type DefaultSecurityGroupRule } from './default-rule.entity.js';
import { DefaultSecurityGroupRuleExistsError } from './default-rule.errors.js';
import { defaultRuleResource, PARENT } from './default-rule.resource.js';
import type { NewDefaultRule, DefaultRuleAttributes } from './default-rule.resource.js';
import { prefixColumns } from '../rules/security-group-rule.resource.js';

@Injectable()
export class DefaultSecurityGroupRulesService extends ResourceService<
  DefaultSecurityGroupRule,
  DefaultRuleAttributes
> {
  protected readonly resource = defaultRuleResource;
  protected readonly table = defaultRules;

  /** They belong to no project and are visible to all. */
  protected override visible(): Condition[] {
    return [];
  }

  protected override async make(
    tx: RequestContext,
    body: NewDefaultRule,
  ): Promise<DefaultSecurityGroupRule> {
    const { remoteGroupId: remote = null, remoteAddressGroupId: addresses = null } = body;
    const { remoteIpPrefix, givenIpPrefix } = prefixColumns(body.remoteIpPrefix);
    const match = canonicalRule({
      direction: body.direction,
      ethertype: body.ethertype,
      protocol: body.protocol ?? null,
      portRangeMin: body.portRangeMin ?? null,
      portRangeMax: body.portRangeMax ?? null,
      remoteIpPrefix,
      remoteGroupId: remote,
      remoteAddressGroupId: addresses,
    });
    checkRule(match);
    const remoteIsParent = remote === PARENT;
    const remoteGroupId = remoteIsParent ? null : remote;
    if (remoteGroupId !== null) await securityGroups.get(tx, remoteGroupId, visibleGroups(tx));
    if (addresses !== null) await addressGroups.get(tx, addresses);
    const rule = { ...match, remoteGroupId, remoteIsParent };
    const uses = {
      usedInDefaultSg: body.usedInDefaultSg,
      usedInNonDefaultSg: body.usedInNonDefaultSg,
    };
    await refuseDuplicate(tx, rule, uses);
    const { name, description, tags } = body;
    return defaultRules.insert(tx, {
      id: randomUUID(),
      projectId: tx.projectId,
      name,
      description,
      tags,
      ...rule,
      givenIpPrefix,
      ...uses,
    });
  }
}

/** Refuses a duplicate, which new groups would get twice. */
async function refuseDuplicate(
  tx: RequestContext,
  rule: object,
  uses: Pick<DefaultSecurityGroupRule, 'usedInDefaultSg' | 'usedInNonDefaultSg'>,
): Promise<void> {
  await transactionLocks(tx.manager, ['default-security-group-rules']);
  const same = Object.entries(rule).map(([property, value]) => equals(property, value));
  const twin = (await defaultRules.select(tx, same)).find(
    (one) =>
      (one.usedInDefaultSg && uses.usedInDefaultSg) ||
      (one.usedInNonDefaultSg && uses.usedInNonDefaultSg),
  );
  if (twin) throw new DefaultSecurityGroupRuleExistsError(twin.id);
}
