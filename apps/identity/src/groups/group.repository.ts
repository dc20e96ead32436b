import type { UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { equals, rowOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { NotFoundError } from '../resource/resource.errors.js';
import { OwnedTable } from '../resource/resource.service.js';
import { Group, GroupMember } from './group.entity.js';

export const groups = new OwnedTable(Group, 'group');

/** SQL condition: the group `$1` has a role anywhere; without one its members lose none with it. */
const HAS_ROLES = 'EXISTS (SELECT FROM role_assignments WHERE group_id = $1)';

class GroupMembers extends Table<GroupMember> {
  /** @returns whether the user has lost roles of the group; undefined if it was not a member */
  async remove(ctx: RequestContext, groupId: string, userId: string): Promise<boolean | undefined> {
    const rows = await this.write<{ hasRoles: boolean }>(
      ctx,
      {},
      `DELETE FROM group_members WHERE group_id = $1 AND user_id = $2
       RETURNING ${HAS_ROLES} AS "hasRoles"`,
      [groupId, userId],
    );
    return rows[0]?.hasRoles;
  }

  /** The members that have a role by the group. */
  async listWithRoles(ctx: RequestContext, groupId: string): Promise<UserId[]> {
    const members = await this.select(ctx, [equals('groupId', groupId), () => HAS_ROLES]);
    return members.map(({ userId }) => userId);
  }
}

export const groupMembers = new GroupMembers(GroupMember, {
  missing: (key) => {
    const { userId = '', groupId = '' } = rowOf(key);
    return new DomainError('not-found', `Could not find user ${userId} in group ${groupId}.`);
  },
  refusals: {
    group_members_group_id_fkey: ({ groupId = '' }) => new NotFoundError('group', groupId),
    group_members_user_id_fkey: ({ userId = '' }) => new NotFoundError('user', userId),
  },
});
