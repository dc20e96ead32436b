import { Injectable } from '@nestjs/common';
import { asId, type DomainId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { equalsIfGiven, type Condition } from '@cumulet/common/tables/condition';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { NotFoundError } from '../resource/resource.errors.js';
import { newId } from '../database/new-id.js';
import { domainOfCaller, scopeDomainOf } from '../policy/caller.js';
import type { PageQuery } from '../resource/resource.dto.js';
import { ResourceService } from '../resource/resource.service.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import type { User } from '../users/user.entity.js';
import { users } from '../users/user.repository.js';
import type { GroupDto } from './group.dto.js';
import type { Group } from './group.entity.js';
import { groupMembers, groups } from './group.repository.js';

/**
 * Groups, and who is in them. Public source: Keystone API reference, "Groups".
 *
 * Always holds: who is no longer in a group has no token with a role that it had by the group.
 */
@Injectable()
export class GroupsService extends ResourceService<Group, GroupDto> {
  constructor(private readonly revocations: RevocationsService) {
    super(groups);
  }

  /** A page of the groups that the caller may see. @throws MarkerNotFoundError */
  override list(ctx: RequestContext, query: PageQuery): Promise<PageOfRows<Group>> {
    return groups.page(ctx, query, equalsIfGiven('domainId', scopeDomainOf(ctx)));
  }

  /** Those of them that a user is in. @throws NotFoundError, MarkerNotFoundError */
  async listOfUser(
    ctx: RequestContext,
    userId: string,
    query: PageQuery,
  ): Promise<PageOfRows<Group>> {
    await users.get(ctx, userId);
    const hasUser: Condition = (bind, column) =>
      `${column('id')} IN (SELECT group_id FROM group_members WHERE user_id = ${bind(userId)})`;
    const scope = [...equalsIfGiven('domainId', scopeDomainOf(ctx)), hasUser];
    return groups.page(ctx, query, scope);
  }

  /** A page of the members that the caller may see. @throws NotFoundError, MarkerNotFoundError */
  async listMembers(ctx: RequestContext, id: string, query: PageQuery): Promise<PageOfRows<User>> {
    await groups.get(ctx, id);
    const isMember: Condition = (bind, column) =>
      `${column('id')} IN (SELECT user_id FROM group_members WHERE group_id = ${bind(id)})`;
    const scope = [...equalsIfGiven('domainId', scopeDomainOf(ctx)), isMember];
    return users.page(ctx, query, scope);
  }

  /** @throws DuplicateNameError, and NotFoundError for a domain that is not there */
  override create(ctx: RequestContext, dto: GroupDto): Promise<Group> {
    const domainId = asId<DomainId>(domainOfCaller(ctx));
    return groups.insert(ctx, { domainId, ...groups.changeOf(ctx, dto), id: newId() });
  }

  /**
   * Tokens of the members may hold roles of the group, and are revoked, unless it has none.
   * @throws NotFoundError
   */
  override async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.revocations.change(ctx, async (tx) => {
      const userIds = await groupMembers.listWithRoles(tx, id);
      await groups.delete(tx, id);
      await this.revocations.revoke(tx, ...userIds.map((userId) => ({ userId })));
    });
  }

  /** @throws NotFoundError for the group, the user, and a user who is no member */
  async checkMember(ctx: RequestContext, id: string, userId: string): Promise<void> {
    const { hasGroup, hasUser, isMember } = await groupMembers.read(ctx, id, userId);
    if (!hasGroup) throw new NotFoundError('group', id);
    if (!hasUser) throw new NotFoundError('user', userId);
    if (!isMember)
      throw new DomainError('not-found', `Could not find user ${userId} in group ${id}.`);
  }

  /** A user who is a member already stays one. @throws NotFoundError for the group or the user */
  async addMember(ctx: RequestContext, id: string, userId: string): Promise<void> {
    const member = { groupId: asId<Group['id']>(id), userId: asId<User['id']>(userId) };
    await groupMembers.insertAll(ctx, [member], { exceptTaken: true });
  }

  /** @throws NotFoundError as checkMember */
  async removeMember(ctx: RequestContext, id: string, userId: string): Promise<void> {
    await this.revocations.change(ctx, async (tx) => {
      const hadRoles = await groupMembers.remove(tx, id, userId);
      if (hadRoles === undefined) return this.checkMember(tx, id, userId);
      if (hadRoles) await this.revocations.revoke(tx, { userId: asId(userId) });
    });
  }
}
