/**
 * What is shared by policies: whom with, and that nothing is left without the policy that it needs.
 * Public source: neutron, `objects/rbac_db.py`.
 *
 * Policies change only under the lock of their object. What uses an object locks it, too, and then
 * asks whether its project may.
 */
import { randomUUID } from 'node:crypto';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { actsAcrossProjects } from '@cumulet/common/auth/project-access';
import type { Condition } from '@cumulet/common/tables/condition';
import { flag } from '@cumulet/common/resources/value-type';
import { EVERYONE, type RbacAction, type RbacType } from './rbac-policy.resource.js';

/** What has policies, as far as they go by it. */
export interface SharedObject {
  readonly id: string;
  readonly projectId: string;
}

/** What is shared with a project, or with everyone. @returns SQL of its ids */
export function sharedWith(project: string): string {
  return `SELECT object_id FROM rbac_policies
           WHERE action = 'access_as_shared' AND target_tenant IN ('${EVERYONE}', ${project})`;
}

/** The projects that an object is shared with, and `*` for everyone. @returns SQL */
export function sharedTargets(alias: string): string {
  return `SELECT COALESCE(array_agg(target_tenant), '{}') FROM rbac_policies
           WHERE object_id = ${alias}.id AND action = 'access_as_shared'`;
}

export async function isSharedWith(
  tx: RequestContext,
  objectId: string,
  projectId: string,
): Promise<boolean> {
  const rows = await preparedRows(tx.manager, `${sharedWith('$2')} AND object_id = $1 LIMIT 1`, [
    objectId,
    projectId,
  ]);
  return rows.length > 0;
}

/** Gives everyone access, if they do not have it. */
export async function openToAll(
  tx: RequestContext,
  type: RbacType,
  { id, projectId }: SharedObject,
  action: RbacAction = 'access_as_shared',
): Promise<void> {
  await preparedRows(
    tx.manager,
    `INSERT INTO rbac_policies (id, project_id, object_type, object_id, action, target_tenant)
     VALUES ($1, $2, $3, $4, $5, '${EVERYONE}') ON CONFLICT DO NOTHING`,
    [randomUUID(), projectId, type, id, action],
  );
}

/** Other projects with policies of their own keep their access. */
export async function closeToAll(tx: RequestContext, objectId: string): Promise<void> {
  await preparedRows(
    tx.manager,
    `DELETE FROM rbac_policies
      WHERE object_id = $1 AND action = 'access_as_shared' AND target_tenant = '${EVERYONE}'`,
    [objectId],
  );
}

/** Those of an object that is being removed. */
export async function removePolicies(tx: RequestContext, objectId: string): Promise<void> {
  await preparedRows(tx.manager, 'DELETE FROM rbac_policies WHERE object_id = $1', [objectId]);
}

/**
 * Whether another project uses an object that no policy, as they are now, lets it use.
 * @param users SQL of `project_id`, one for each user; `$1` is the object
 * @param target of the policy that there was: a project, or everyone
 */
export async function isUncovered(
  tx: RequestContext,
  { id, projectId }: SharedObject,
  users: string,
  target: string,
  action: RbacAction = 'access_as_shared',
): Promise<boolean> {
  const rows = await preparedRows(
    tx.manager,
    `SELECT FROM (${users}) AS users
      WHERE project_id NOT IN ('', $2) AND ($3 = '${EVERYONE}' OR project_id = $3)
        AND NOT EXISTS (SELECT FROM rbac_policies
                         WHERE object_id = $1 AND action = '${action}'
                           AND target_tenant IN ('${EVERYONE}', users.project_id)) LIMIT 1`,
    [id, projectId, target],
  );
  return rows.length > 0;
}

/** The rows that a caller sees: those of its project, and those that policies share with it, by two indexes. */
export function ownOrShared(ctx: RequestContext): Condition[] {
  if (actsAcrossProjects(ctx)) return [];
  return [
    (bind, column) => {
      const project = bind(ctx.projectId);
      return `${column('projectId')} = ${project}
           OR ${column('id')} = ANY(ARRAY(${sharedWith(project)}))`;
    },
  ];
}

interface SharedRow {
  /** Where it is a column: whether everyone may use it. */
  readonly shared?: boolean;
  readonly sharedWith: readonly string[];
}

/** @param idColumn of what policies are for */
export function sharedFilter(idColumn: string) {
  return (values: readonly string[], { projectId }: RequestContext): Condition => {
    const asked = values.map((one) => flag.fromText(one));
    return (bind, column) =>
      `(${column(idColumn)} IN (${sharedWith(bind(projectId))})) = ANY(${bind(asked)})`;
  };
}

/** The attribute `shared`, as far as policies make it: whether everyone, or the caller, may use it. */
export const sharedByPolicies = {
  forCaller: ({ shared, sharedWith: targets }: SharedRow, { projectId }: RequestContext): boolean =>
    shared === true || targets.includes(EVERYONE) || targets.includes(projectId),
  filter: sharedFilter('id'),
};
