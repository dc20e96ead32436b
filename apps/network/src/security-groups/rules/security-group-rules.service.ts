import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { actsAcrossProjects, mayActOn } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals, oneOf, type Condition } from '@cumulet/common/tables/condition';
import { PolicyNotAuthorizedError } from '@cumulet/common/resources/resource.errors';
import { AddressGroupNotFoundError } from '../../address-groups/address-group.errors.js';
import {
  addressGroups,
  visibleAddressGroups,
} from '../../address-groups/address-groups.service.js';
import { apply } from '../../resource/applied.states.js';
import { ResourceService } from '../../resource/resource.service.js';
import { revise } from '../../resource/revision.js';
import { rules, securityGroups } from '../default-group.js';
import { SecurityGroupRuleExistsError } from '../security-group.errors.js';
import { securityGroupStates } from '../security-group.states.js';
import { visibleGroups } from '../security-groups.service.js';
import { canonicalRule, checkRule } from './rule-checks.js';
import type { SecurityGroupRule } from './security-group-rule.resource.js';
import { prefixColumns, securityGroupRuleResource } from './security-group-rule.resource.js';
import type { NewRule } from './security-group-rule.resource.js';
import type { RuleAttributes } from './security-group-rule.resource.js';

@Injectable()
export class SecurityGroupRulesService extends ResourceService<SecurityGroupRule, RuleAttributes> {
  protected readonly resource = securityGroupRuleResource;
  protected readonly table = rules;

  protected override visible(ctx: RequestContext): Condition[] {
    if (actsAcrossProjects(ctx)) return [];
    return [
      (bind, column) => {
        const project = bind(ctx.projectId);
        return `${column('projectId')} = ${project} OR ${column('securityGroupId')} = ANY(ARRAY(
          SELECT id FROM security_groups WHERE project_id = ${project}))`;
      },
    ];
  }

  /** Address groups are locked before security groups, each in a fixed order. */
  protected override async prepare(tx: RequestContext, bodies: readonly NewRule[]): Promise<void> {
    const order = 'ORDER BY id FOR KEY SHARE';
    const named = bodies.map((body) => body.remoteAddressGroupId).filter((id) => id != null);
    if (named.length > 0) await addressGroups.select(tx, [oneOf('id', named)], order);
    const groups = bodies.map((body) => body.securityGroupId);
    await securityGroups.select(tx, [oneOf('id', groups)], 'ORDER BY id FOR NO KEY UPDATE');
  }

  protected override async make(tx: RequestContext, body: NewRule): Promise<SecurityGroupRule> {
    const { remoteIpPrefix, givenIpPrefix } = prefixColumns(body.remoteIpPrefix);
    const rule = canonicalRule({
      direction: body.direction,
      ethertype: body.ethertype,
      protocol: body.protocol ?? null,
      portRangeMin: body.portRangeMin ?? null,
      portRangeMax: body.portRangeMax ?? null,
      remoteIpPrefix,
      remoteGroupId: body.remoteGroupId ?? null,
      remoteAddressGroupId: body.remoteAddressGroupId ?? null,
    });
    checkRule(rule);
    const group = await securityGroups.get(tx, body.securityGroupId, visibleGroups(tx));
    if (!mayActOn(tx, group.projectId))
      throw new PolicyNotAuthorizedError('create_security_group_rule');
    if (rule.remoteGroupId !== null)
      await securityGroups.get(tx, rule.remoteGroupId, visibleGroups(tx));
    if (rule.remoteAddressGroupId !== null) await lockAddressGroup(tx, rule.remoteAddressGroupId);
    // Locks the group before the rule is written, so that duplicates are noticed.
    await apply(tx, securityGroupStates, group.id);
    const same = Object.entries(rule).map(([property, value]) => equals(property, value));
    const [twin] = await rules.select(tx, [equals('securityGroupId', group.id), ...same]);
    if (twin) throw new SecurityGroupRuleExistsError(twin.id);
    await revise(tx, 'security_groups', group.id);
    const { name, description, tags } = body;
    return rules.insert(tx, {
      id: randomUUID(),
      name,
      description,
      tags,
      ...rule,
      givenIpPrefix,
      projectId: group.projectId,
      securityGroupId: group.id,
    });
  }

  protected override async erase(tx: RequestContext, rule: SecurityGroupRule): Promise<void> {
    await rules.delete(tx, rule.id);
    await revise(tx, 'security_groups', rule.securityGroupId);
    await apply(tx, securityGroupStates, rule.securityGroupId);
  }
}

/** Locks the address group until the rule that refers to it is written. */
async function lockAddressGroup(tx: RequestContext, id: string): Promise<void> {
  await addressGroups.select(tx, [equals('id', id)], 'FOR KEY SHARE');
  // Checked under the lock, since policies change only under it.
  if (!(await addressGroups.find(tx, id, visibleAddressGroups(tx))))
    throw new AddressGroupNotFoundError(id);
}
