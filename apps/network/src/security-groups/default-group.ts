/**
 * The default security group of each project, and the first rules of any group. Public source:
 * neutron, `_ensure_default_security_group` in `db/securitygroups_db.py`.
 */
import { randomUUID } from 'node:crypto';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudge } from '@cumulet/common/jobs/nudge';
import { initialState } from '@cumulet/common/states/transition';
import { Table } from '@cumulet/common/tables/table';
import { defaultRulesFor, type DefaultRuleUse } from './default-rules/default-rule.entity.js';
import { SecurityGroupRule } from './rules/security-group-rule.resource.js';
import { SecurityGroup } from './security-group.resource.js';
import * as errors from './security-group.errors.js';
import { securityGroupStates } from './security-group.states.js';
import { resourceTable } from '../resource/resource.table.js';

export const securityGroups = resourceTable(SecurityGroup, errors.SecurityGroupNotFoundError);

export const rules = new Table(SecurityGroupRule, {
  missing: (key) =>
    new errors.SecurityGroupRuleNotFoundError(typeof key === 'string' ? key : key.id),
  refusals: {
    security_group_rules_key: ({ id }) => new errors.SecurityGroupRuleExistsError(id ?? ''),
    security_group_rules_remote_fkey: ({ remoteGroupId }) =>
      new errors.SecurityGroupNotFoundError(remoteGroupId),
  },
});

/** @returns the ID of the project's default group, which is created if there is none */
export async function defaultGroup(ctx: RequestContext): Promise<string> {
  return (await find(ctx)) ?? (await inTransaction(ctx, make));
}

async function find({ manager, projectId }: RequestContext): Promise<string | undefined> {
  const [row] = await preparedRows<{ id: string }>(
    manager,
    'SELECT id FROM security_groups WHERE project_id = $1 AND is_default',
    [projectId],
  );
  return row?.id;
}

async function make(tx: RequestContext): Promise<string> {
  const { projectId } = tx;
  const id = randomUUID();
  const group = { id, projectId, name: 'default', description: 'Default security group' };
  const [made] = await securityGroups.insertAll(
    tx,
    [{ ...group, isDefault: true, ...initialState(securityGroupStates) }],
    { exceptTaken: true },
  );
  // A concurrent request has created it.
  if (!made) return (await find(tx)) ?? id;
  await addDefaultRules(tx, id, 'usedInDefaultSg');
  await nudge(tx, { task: 'security_group', resource: 'security_group', id });
  return id;
}

/** Gives a new group the default rules for its kind. */
export async function addDefaultRules(
  tx: RequestContext,
  securityGroupId: string,
  use: DefaultRuleUse,
): Promise<void> {
  const { projectId } = tx;
  const matches = await defaultRulesFor(tx, securityGroupId, use);
  await rules.insertAll(
    tx,
    matches.map((match) => ({ ...match, id: randomUUID(), projectId, securityGroupId })),
  );
}
