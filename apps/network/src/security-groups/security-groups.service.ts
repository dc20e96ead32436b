import { Injectable } from '@nestjs/common';
import { actsAcrossProjects, inProject } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { nudge } from '@cumulet/common/jobs/nudge';
import { initialState } from '@cumulet/common/states/transition';
import { equals, type Condition } from '@cumulet/common/tables/condition';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { valuesOf, type Query } from '@cumulet/common/resources/list-query';
import { defaultRules, defaultRulesFor } from './default-rules/default-rule.entity.js';
import { removePolicies, ownOrShared } from '../rbac-policies/sharing.js';
import { apply } from '../resource/applied.states.js';
import { ResourceService } from '../resource/resource.service.js';
import { isPresent } from '../resource/resource.table.js';
import { defaultStateful } from './default-statefulness/default-statefulness.entity.js';
import { addDefaultRules, defaultGroup, securityGroups } from './default-group.js';
import type { SecurityGroup } from './security-group.resource.js';
import * as errors from './security-group.errors.js';
import {
  securityGroupResource,
  type NewSecurityGroup,
  type SecurityGroupAttributes,
  type SecurityGroupChange,
} from './security-group.resource.js';
import { securityGroupStates } from './security-group.states.js';

export function visibleGroups(ctx: RequestContext): Condition[] {
  return [isPresent, ...ownOrShared(ctx)];
}

@Injectable()
export class SecurityGroupsService extends ResourceService<SecurityGroup, SecurityGroupAttributes> {
  protected readonly resource = securityGroupResource;
  protected readonly table = securityGroups;

  protected override visible(ctx: RequestContext): Condition[] {
    return visibleGroups(ctx);
  }

  /**
   * Creates the default group of a project whose groups are listed for the first time, as in
   * Neutron, also for an administrator who filters by that project.
   */
  override async list(ctx: RequestContext, query: Query): Promise<PageOfRows<SecurityGroup>> {
    const [asked] = ['project_id', 'tenant_id'].flatMap((name) => valuesOf(query, name));
    const isOther = asked !== undefined && actsAcrossProjects(ctx);
    if (!ctx.isService) await defaultGroup(isOther ? inProject(ctx, asked) : ctx);
    return super.list(ctx, query);
  }

  /** Includes the rules that the group starts with. */
  protected override async claimed(
    tx: RequestContext,
    count: number,
  ): Promise<Partial<Record<string, number>>> {
    const { length } = await defaultRulesFor(tx, '', 'usedInNonDefaultSg');
    return { security_group: count, security_group_rule: count * length };
  }

  protected override async make(
    tx: RequestContext,
    body: NewSecurityGroup,
  ): Promise<SecurityGroup> {
    if (isDefaultName(body.name)) throw new errors.SecurityGroupDefaultAlreadyExistsError();
    await defaultGroup(tx);
    const { id } = await securityGroups.insert(tx, {
      ...this.newRow(tx, body),
      stateful: body.stateful ?? (await defaultStateful(tx)),
      ...initialState(securityGroupStates),
    });
    await addDefaultRules(tx, id, 'usedInNonDefaultSg');
    await nudge(tx, { task: 'security_group', resource: 'security_group', id });
    return securityGroups.get(tx, id);
  }

  protected override async change(
    tx: RequestContext,
    group: SecurityGroup,
    body: SecurityGroupChange,
  ): Promise<SecurityGroup> {
    if (body.name !== undefined && body.name !== group.name) {
      if (group.isDefault) throw new errors.SecurityGroupCannotUpdateDefaultError();
      if (isDefaultName(body.name)) throw new errors.SecurityGroupDefaultAlreadyExistsError();
    }
    const isUsed = body.stateful !== undefined && body.stateful !== group.stateful;
    if (isUsed) await refuseIfUsed(tx, group.id);
    await this.save(tx, group, this.columnsOf(body));
    await apply(tx, securityGroupStates, group.id);
    return securityGroups.get(tx, group.id);
  }

  /** Deletes its rules too, and other groups' rules that refer to it. */
  protected override async erase(
    tx: RequestContext,
    { id, isDefault }: SecurityGroup,
  ): Promise<void> {
    if (isDefault && !tx.isAdmin) throw new errors.SecurityGroupCannotRemoveDefaultError();
    await refuseIfUsed(tx, id);
    await removePolicies(tx, id);
    const others = await preparedRows<{ id: string }>(
      tx.manager,
      `DELETE FROM security_group_rules WHERE remote_group_id = $1 OR security_group_id = $1
       RETURNING security_group_id AS id`,
      [id],
    );
    await defaultRules.deleteAll(tx, [equals('remoteGroupId', id)]);
    const changed = new Set(others.map((one) => one.id).filter((one) => one !== id));
    for (const other of [...changed].sort()) await apply(tx, securityGroupStates, other);
    // A new default group may be created before the data plane has removed this one.
    if (isDefault) await securityGroups.update(tx, id, { isDefault: false });
    await apply(tx, securityGroupStates, id, 'remove');
  }
}

async function refuseIfUsed(tx: RequestContext, id: string): Promise<void> {
  const ports = await preparedRows(
    tx.manager,
    'SELECT FROM port_security_groups WHERE security_group_id = $1 LIMIT 1',
    [id],
  );
  if (ports.length > 0) throw new errors.SecurityGroupInUseError(id);
}

function isDefaultName(name: string): boolean {
  return name.toLowerCase() === 'default';
}

/** Called when an address group has changed. @param tx has locked the address group */
export async function applyGroupsNaming(tx: RequestContext, addressGroupId: string): Promise<void> {
  const users = await preparedRows<{ id: string }>(
    tx.manager,
    `SELECT DISTINCT security_group_id AS id FROM security_group_rules
      WHERE remote_address_group_id = $1 ORDER BY id`,
    [addressGroupId],
  );
  for (const { id } of users) await apply(tx, securityGroupStates, id);
}
