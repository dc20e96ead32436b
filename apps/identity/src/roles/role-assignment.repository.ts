import type { UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, selectRows } from '@cumulet/common/database/rows';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { bound, identifiedBy, type BoundConditions } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { newId } from '../database/new-id.js';
import { notFoundBy } from '../resource/resource.errors.js';
import { Role } from './role.resource.js';
import { RoleAssignment } from './role-assignment.entity.js';
import { heldBy } from '../database/user-reach.sql.js';

/** An actor and a target; the columns of all others are null. */
export type AssignmentPlace = Omit<RoleAssignment, 'id' | 'roleId'>;

export type Assignment = Omit<RoleAssignment, 'id'>;

class RoleAssignmentTable extends Table<RoleAssignment> {
  /** Creates missing assignments. @throws NotFoundError */
  async ensure(ctx: RequestContext, assignments: readonly Assignment[]): Promise<void> {
    const rows = assignments.map((one) => ({ id: newId<RoleAssignment['id']>(), ...one }));
    await this.insertAll(ctx, rows, { exceptTaken: true });
  }

  /** Direct ones only. */
  listRoles(ctx: RequestContext, place: AssignmentPlace): Promise<Role[]> {
    const { where, params } = this.#bound(ctx, place);
    return selectRows(
      ctx.manager,
      Role,
      `WHERE id IN (SELECT role_id FROM role_assignments WHERE ${where}) ORDER BY name, id`,
      params,
    );
  }

  /**
   * @returns the users who had the role by this assignment: its user, or the members of its group
   * @throws RoleAssignmentNotFoundError
   */
  async remove(ctx: RequestContext, assignment: Assignment): Promise<UserId[]> {
    const { where, params } = this.#bound(ctx, assignment);
    const rows = await preparedRows<{ userId: UserId | null }>(
      ctx.manager,
      `WITH removed AS (
         DELETE FROM role_assignments WHERE ${where} RETURNING user_id, group_id
       )
       SELECT COALESCE(removed.user_id, group_members.user_id) AS "userId"
         FROM removed LEFT JOIN group_members USING (group_id)`,
      params,
    );
    if (rows.length === 0) throw new RoleAssignmentNotFoundError(assignment);
    return rows.flatMap(({ userId }) => userId ?? []);
  }

  async count(ctx: RequestContext, roleId: string): Promise<number> {
    const rows: { count: number }[] = await ctx.manager.query(
      'SELECT count(*)::integer AS count FROM role_assignments WHERE role_id = $1',
      [roleId],
    );
    return rows[0]?.count ?? 0;
  }

  /** Only administrators of the cloud and the bootstrap can give the role. */
  async isService(ctx: RequestContext, userId: string): Promise<boolean> {
    const rows = await preparedRows(
      ctx.manager,
      `SELECT FROM role_assignments JOIN roles ON roles.id = role_id
        WHERE ${heldBy('$1')} AND roles.name = 'service' AND roles.domain_id IS NULL LIMIT 1`,
      [userId],
    );
    return rows.length > 0;
  }

  /** The users who have the role, or one that implies it, anywhere, directly or by a group. */
  async holdersOf(ctx: RequestContext, roleId: string): Promise<UserId[]> {
    const rows: { userId: UserId }[] = await ctx.manager.query(
      `WITH RECURSIVE priors (role_id) AS (
         SELECT $1::text
         UNION
         SELECT prior_role_id FROM role_inferences JOIN priors ON implied_role_id = role_id
       ), held AS (
         SELECT user_id, group_id FROM role_assignments JOIN priors USING (role_id)
       )
       SELECT user_id AS "userId" FROM held WHERE user_id IS NOT NULL
       UNION
       SELECT group_members.user_id FROM held JOIN group_members USING (group_id)`,
      [roleId],
    );
    return rows.map(({ userId }) => userId);
  }

  #bound(ctx: RequestContext, place: AssignmentPlace): BoundConditions {
    return bound(identifiedBy(place), this.shape(ctx).columnOf);
  }
}

export const roleAssignments = new RoleAssignmentTable(RoleAssignment, {
  missing: (key) => new RoleAssignmentNotFoundError(typeof key === 'string' ? {} : key),
  // For what was removed since it was looked up.
  refusals: {
    role_assignments_role_id_fkey: notFoundBy('role'),
    role_assignments_user_id_fkey: notFoundBy('user'),
    role_assignments_group_id_fkey: notFoundBy('group'),
    role_assignments_project_id_fkey: notFoundBy('project'),
    role_assignments_domain_id_fkey: notFoundBy('domain'),
  },
});

class RoleAssignmentNotFoundError extends DomainError {
  constructor({ roleId, userId, groupId, projectId, domainId }: Partial<Assignment>) {
    const [actor, target] = [userId ?? groupId ?? '', projectId ?? domainId ?? 'system'];
    super(
      'not-found',
      `Could not find role assignment with role: ${roleId ?? ''}, user or group: ${actor}, project, domain, or system: ${target}.`,
    );
  }
}
