import { Injectable } from '@nestjs/common';
import { asId, type UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { type Condition, equals, rowOf } from '@cumulet/common/tables/condition';
import { type PageOfRows, Table } from '@cumulet/common/tables/table';
import type { PageQuery } from '../resource/resource.dto.js';
import { NotFoundError } from '../resource/resource.errors.js';
import { OwnedTable, ResourceService } from '../resource/resource.service.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import type { User } from '../users/user.resource.js';
import { users } from '../users/user.repository.js';
import { Group, type GroupDto, type GroupId, GroupMember } from './group.resource.js';

export const groups = new OwnedTable(Group, 'group');

/** SQL condition: the group `$1` has a role anywhere, which its members lose with it. */
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

export interface MemberIds {
  readonly group_id: string;
  readonly user_id: string;
}

/**
 * Always holds: a user who has left a group has no token with a role of the group. Public source:
 * Keystone API reference, "Groups".
 */
@Injectable()
export class GroupsService extends ResourceService<Group, GroupDto> {
  protected readonly table = groups;

  constructor(private readonly revocations: RevocationsService) {
    super();
  }

  /** The groups of a user that the caller may see. @throws NotFoundError, MarkerNotFoundError */
  async listOfUser(
    ctx: RequestContext,
    userId: string,
    query: PageQuery,
  ): Promise<PageOfRows<Group>> {
    await users.get(ctx, userId);
    const hasUser: Condition = (bind, column) =>
      `${column('id')} IN (SELECT group_id FROM group_members WHERE user_id = ${bind(userId)})`;
    return groups.page(ctx, query, [...groups.visibleTo(ctx), hasUser]);
  }

  /** A page of the members that the caller may see. @throws NotFoundError, MarkerNotFoundError */
  async listMembers(ctx: RequestContext, id: string, query: PageQuery): Promise<PageOfRows<User>> {
    await groups.get(ctx, id);
    const isMember: Condition = (bind, column) =>
      `${column('id')} IN (SELECT user_id FROM group_members WHERE group_id = ${bind(id)})`;
    return users.page(ctx, query, [...users.visibleTo(ctx), isMember]);
  }

  /** Revokes the tokens of the members, unless the group has no roles. @throws NotFoundError */
  override async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.revocations.change(ctx, async (tx) => {
      const userIds = await groupMembers.listWithRoles(tx, id);
      await groups.delete(tx, id);
      await this.revocations.revoke(tx, ...userIds.map((userId) => ({ userId })));
    });
  }

  /** @throws NotFoundError for the group, the user, and a user who is not a member */
  async checkMember(ctx: RequestContext, ids: MemberIds): Promise<void> {
    await groups.get(ctx, ids.group_id);
    await users.get(ctx, ids.user_id);
    await groupMembers.get(ctx, memberOf(ids));
  }

  /** Does nothing for a member. @throws NotFoundError for the group or the user */
  async addMember(ctx: RequestContext, ids: MemberIds): Promise<void> {
    await groupMembers.insertAll(ctx, [memberOf(ids)], { exceptTaken: true });
  }

  /** @throws as `checkMember` */
  async removeMember(ctx: RequestContext, ids: MemberIds): Promise<void> {
    await this.revocations.change(ctx, async (tx) => {
      const hadRoles = await groupMembers.remove(tx, ids.group_id, ids.user_id);
      if (hadRoles === undefined) return this.checkMember(tx, ids);
      if (hadRoles) await this.revocations.revoke(tx, { userId: asId(ids.user_id) });
    });
  }
}

function memberOf({ group_id, user_id }: MemberIds): GroupMember {
  return { groupId: asId<GroupId>(group_id), userId: asId<UserId>(user_id) };
}
