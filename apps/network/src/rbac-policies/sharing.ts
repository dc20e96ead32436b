/**
 * Sharing by RBAC policies, and the rule that a used object keeps the policy that allows the use.
 * Public source: neutron, `objects/rbac_db.py`.
 *
 * Policies change only under the lock of their object. Whoever uses an object locks it too, and
 * then checks for access.
 */
import { randomUUID } from 'node:crypto';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { actsAcrossProjects } from '@cumulet/common/auth/project-access';
import type { Condition } from '@cumulet/common/tables/condition';
import { flag } from '@cumulet/common/resources/value-type';
import { EVERYONE, type RbacAction, type RbacType } from './rbac-policy.resource.js';

export interface SharedObject {
  readonly id: string;
  readonly projectId: string;
}

/** @returns SQL of the IDs of objects that are shared with a project, or with everyone */
export function sharedWith(project: string): string {
  return `SELECT object_id FROM rbac_policies
           WHERE action = 'access_as_shared' AND target_tenant IN ('${EVERYONE}', ${project})`;
}

/** @returns SQL of the projects that an object is shared with; `*` stands for everyone */
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

/** Shares with everyone, unless it is shared already. */
export async function shareWithAll(
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

/** Policies for single projects stay. */
export async function unshareFromAll(tx: RequestContext, objectId: string): Promise<void> {
  await preparedRows(
    tx.manager,
    `DELETE FROM rbac_policies
      WHERE object_id = $1 AND action = 'access_as_shared' AND target_tenant = '${EVERYONE}'`,
    [objectId],
  );
}

/** Called when the object is being deleted. */
export async function removePolicies(tx: RequestContext, objectId: string): Promise<void> {
  await preparedRows(tx.manager, 'DELETE FROM rbac_policies WHERE object_id = $1', [objectId]);
}

/**
 * Whether another project uses an object without any current policy that allows it.
 * @param users SQL of `project_id`, one row for each use; `$1` is the object
 * @param target of the removed policy: a project, or everyone
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

/** Rows of the caller's project, and those shared with it; each condition uses an index. */
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
  /** Whether everyone has access, for objects with such a column. */
  readonly shared?: boolean;
  readonly sharedWith: readonly string[];
}

/** @param idColumn of the shared objects */
export function sharedFilter(idColumn: string) {
  return (values: readonly string[], { projectId }: RequestContext): Condition => {
    const asked = values.map((one) => flag.fromText(one));
    return (bind, column) =>
      `(${column(idColumn)} IN (${sharedWith(bind(projectId))})) = ANY(${bind(asked)})`;
  };
}

/** The attribute `shared` of objects whose access follows from policies alone. */
export const sharedByPolicies = {
  forCaller: ({ shared, sharedWith: targets }: SharedRow, { projectId }: RequestContext): boolean =>
    shared === true || targets.includes(EVERYONE) || targets.includes(projectId),
  filter: sharedFilter('id'),
};
