import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { RevocationsService } from '../revocations/revocations.service.js';
import { UserNotFoundError } from '../users/user.errors.js';
import { GroupMemberRepository } from './group-member.repository.js';
import { GroupNotFoundError, MemberNotFoundError } from './group.errors.js';

/**
 * Who is in a group. Public source: Keystone API reference, "Groups".
 *
 * Always holds: who is no longer in a group has no token with a role that it had by the group.
 */
@Injectable()
export class GroupMembersService {
  constructor(
    private readonly members: GroupMemberRepository,
    private readonly revocations: RevocationsService,
  ) {}

  /** @throws GroupNotFoundError, UserNotFoundError, MemberNotFoundError */
  async check(ctx: RequestContext, groupId: string, userId: string): Promise<void> {
    const { hasGroup, hasUser, isMember } = await this.members.read(ctx, groupId, userId);
    if (!hasGroup) throw new GroupNotFoundError(groupId);
    if (!hasUser) throw new UserNotFoundError(userId);
    if (!isMember) throw new MemberNotFoundError(groupId, userId);
  }

  /** @throws GroupNotFoundError, UserNotFoundError */
  async add(ctx: RequestContext, groupId: string, userId: string): Promise<void> {
    await this.members.add(ctx, groupId, userId);
  }

  /** @throws GroupNotFoundError, UserNotFoundError, MemberNotFoundError */
  async remove(ctx: RequestContext, groupId: string, userId: string): Promise<void> {
    await this.revocations.change(ctx, async (tx) => {
      const hadRoles = await this.members.remove(tx, groupId, userId);
      if (hadRoles === undefined) return this.check(tx, groupId, userId);
      if (hadRoles) await this.revocations.revoke(tx, { userId: asId(userId) });
    });
  }
}
