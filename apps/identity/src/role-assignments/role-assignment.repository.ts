import { Injectable } from '@nestjs/common';
import type { UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRows } from '@cumulet/common/database/rows';
import { newId } from '../database/new-id.js';
import { Role } from '../roles/role.entity.js';
import { idIn, type Assignment, type AssignmentPlace } from './assignment-place.js';

/** The assignments of one actor on one target; the parameters are those of `placeParams`. */
const AT_PLACE = `(user_id = $1 OR group_id = $2)
  AND (project_id = $3 OR domain_id = $4 OR (on_system AND $5::boolean)) AND inherited = $6`;

function placeParams(place: AssignmentPlace): [...(string | null)[], boolean, boolean] {
  return [
    idIn(place, 'user'),
    idIn(place, 'group'),
    idIn(place, 'project'),
    idIn(place, 'domain'),
    place.target.kind === 'system',
    place.inherited,
  ];
}

@Injectable()
export class RoleAssignmentRepository {
  /** Makes those of the assignments that are missing. */
  async ensure(ctx: RequestContext, assignments: readonly Assignment[]): Promise<void> {
    const column = (kind: string): (string | null)[] => assignments.map((one) => idIn(one, kind));
    await ctx.manager.query(
      `INSERT INTO role_assignments
         (id, role_id, user_id, group_id, project_id, domain_id, on_system, inherited)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
                            $7::boolean[], $8::boolean[])
       ON CONFLICT DO NOTHING`,
      [
        assignments.map(() => newId()),
        assignments.map(({ roleId }) => roleId),
        column('user'),
        column('group'),
        column('project'),
        column('domain'),
        assignments.map(({ target }) => target.kind === 'system'),
        assignments.map(({ inherited }) => inherited),
      ],
    );
  }

  /** The roles that the actor has on the target by itself, none of which another gives it. */
  listRoles(ctx: RequestContext, place: AssignmentPlace): Promise<Role[]> {
    return selectRows(
      ctx.manager,
      Role,
      `WHERE id IN (SELECT role_id FROM role_assignments WHERE ${AT_PLACE}) ORDER BY name, id`,
      placeParams(place),
    );
  }

  async has(ctx: RequestContext, assignment: Assignment): Promise<boolean> {
    const rows: unknown[] = await ctx.manager.query(
      `SELECT FROM role_assignments WHERE ${AT_PLACE} AND role_id = $7`,
      [...placeParams(assignment), assignment.roleId],
    );
    return rows.length > 0;
  }

  /**
   * @returns the users who had the role by this assignment: its user, or the members of its group;
   *   undefined where there was no such assignment
   */
  async delete(ctx: RequestContext, assignment: Assignment): Promise<UserId[] | undefined> {
    const rows: { userId: UserId | null }[] = await ctx.manager.query(
      `WITH removed AS (
         DELETE FROM role_assignments WHERE ${AT_PLACE} AND role_id = $7 RETURNING user_id, group_id
       )
       SELECT COALESCE(removed.user_id, group_members.user_id) AS "userId"
         FROM removed LEFT JOIN group_members USING (group_id)`,
      [...placeParams(assignment), assignment.roleId],
    );
    return rows.length === 0 ? undefined : rows.flatMap(({ userId }) => userId ?? []);
  }

  async count(ctx: RequestContext, roleId: string): Promise<number> {
    const rows: { count: number }[] = await ctx.manager.query(
      'SELECT count(*)::integer AS count FROM role_assignments WHERE role_id = $1',
      [roleId],
    );
    return rows[0]?.count ?? 0;
  }

  /** Everybody who has the role anywhere: by itself or by a group, of it or of one that implies it. */
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
}
