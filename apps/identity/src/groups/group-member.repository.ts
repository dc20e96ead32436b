import { Injectable } from '@nestjs/common';
import type { UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { orRefused } from '../http/or-refused.js';
import { UserNotFoundError } from '../users/user.errors.js';
import { GroupNotFoundError } from './group.errors.js';

export interface Membership {
  readonly hasGroup: boolean;
  readonly hasUser: boolean;
  readonly isMember: boolean;
}

/** SQL of whether the group `$1` has any role anywhere: without one its members have none of it. */
const HAS_ROLES = 'EXISTS (SELECT FROM role_assignments WHERE group_id = $1)';

@Injectable()
export class GroupMemberRepository {
  async read(ctx: RequestContext, groupId: string, userId: string): Promise<Membership> {
    const rows: Membership[] = await ctx.manager.query(
      `SELECT EXISTS (SELECT FROM groups WHERE id = $1) AS "hasGroup",
              EXISTS (SELECT FROM users WHERE id = $2) AS "hasUser",
              EXISTS (SELECT FROM group_members WHERE group_id = $1 AND user_id = $2) AS "isMember"`,
      [groupId, userId],
    );
    const [row] = rows;
    if (!row) throw new Error('a query without a table has one row');
    return row;
  }

  /**
   * A user who is a member already stays one.
   * @throws GroupNotFoundError, UserNotFoundError
   */
  async add(ctx: RequestContext, groupId: string, userId: string): Promise<void> {
    await orRefused(
      ctx.manager.query(
        'INSERT INTO group_members (group_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        [groupId, userId],
      ),
      {
        group_members_group_id_fkey: () => new GroupNotFoundError(groupId),
        group_members_user_id_fkey: () => new UserNotFoundError(userId),
      },
    );
  }

  /** @returns whether the group has roles that the user has lost; undefined where it was none */
  async remove(ctx: RequestContext, groupId: string, userId: string): Promise<boolean | undefined> {
    const [rows]: [{ hasRoles: boolean }[], number] = await ctx.manager.query(
      `DELETE FROM group_members WHERE group_id = $1 AND user_id = $2
       RETURNING ${HAS_ROLES} AS "hasRoles"`,
      [groupId, userId],
    );
    return rows[0]?.hasRoles;
  }

  /** The members that have a role by the group. */
  async listWithRoles(ctx: RequestContext, groupId: string): Promise<UserId[]> {
    const rows: { id: UserId }[] = await ctx.manager.query(
      `SELECT user_id AS id FROM group_members WHERE group_id = $1 AND ${HAS_ROLES}`,
      [groupId],
    );
    return rows.map(({ id }) => id);
  }
}
