import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { newId } from '../database/new-id.js';
import { refuseOtherId } from '../http/other-id.js';
import { pageStart, type PageQuery } from '../http/page.js';
import { refuseEmpty } from '../http/refuse-empty.js';
import { FixedPropertyError } from '../http/resource-errors.js';
import type { Extra } from '../http/resource-options.js';
import { scopeDomainOf } from '../policy/personas.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import { GroupMemberRepository } from './group-member.repository.js';
import type { Group, GroupId } from './group.entity.js';
import { GroupNotFoundError } from './group.errors.js';
import { GroupRepository, type GroupFilter } from './group.repository.js';

export interface NewGroup {
  readonly name: string;
  readonly domainId: string;
  readonly description?: string | null | undefined;
  readonly extra?: Extra | undefined;
}

/** What is undefined stays as it is; what cannot be changed may be said again. */
export type GroupUpdate = { readonly [Field in keyof NewGroup]?: NewGroup[Field] | undefined } & {
  readonly id?: string | undefined;
};

/** Public source: Keystone API reference, "Groups". */
@Injectable()
export class GroupsService {
  constructor(
    private readonly groups: GroupRepository,
    private readonly members: GroupMemberRepository,
    private readonly revocations: RevocationsService,
  ) {}

  /**
   * A page of the groups that the caller may see.
   * @throws MarkerNotFoundError
   */
  async list(
    ctx: RequestContext,
    filter: Omit<GroupFilter, 'within'>,
    page: PageQuery,
  ): Promise<Group[]> {
    const within = scopeDomainOf(ctx);
    const start = await pageStart(page, async (marker) => {
      const group = await this.groups.find(ctx, marker);
      if (within !== undefined && group?.domainId !== within) return undefined;
      return (await this.#isAmong(ctx, marker, filter.userId)) ? group : undefined;
    });
    return this.groups.list(ctx, { ...filter, within }, start);
  }

  /** @throws GroupNotFoundError */
  async get(ctx: RequestContext, id: string): Promise<Group> {
    const group = await this.groups.find(ctx, id);
    if (!group) throw new GroupNotFoundError(id);
    return group;
  }

  /** @throws DuplicateNameError, DomainNotFoundError */
  async create(ctx: RequestContext, wanted: NewGroup): Promise<Group> {
    const id = newId<GroupId>();
    await this.groups.insert(ctx, {
      id,
      domainId: asId(wanted.domainId),
      name: wanted.name.trim(),
      description: wanted.description ?? '',
      extra: wanted.extra ?? {},
    });
    return this.get(ctx, id);
  }

  /**
   * @throws InvalidInputError for a change of nothing
   * @throws GroupNotFoundError, OtherIdError, FixedPropertyError, DuplicateNameError
   */
  async update(ctx: RequestContext, id: string, change: GroupUpdate): Promise<Group> {
    refuseOtherId('group', id, change.id);
    refuseEmpty('group', change);
    return inTransaction(ctx, async (tx) => {
      const before = await this.groups.lock(tx, id);
      if (!before) throw new GroupNotFoundError(id);
      if (change.domainId !== undefined && change.domainId !== before.domainId)
        throw new FixedPropertyError('group.domain_id');
      const after = changedGroup(before, change);
      await this.groups.update(tx, after);
      return after;
    });
  }

  /**
   * Tokens of the members may hold roles of the group, and are revoked, unless it has none.
   * @throws GroupNotFoundError
   */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.revocations.change(ctx, async (tx) => {
      const userIds = await this.members.listWithRoles(tx, id);
      if (!(await this.groups.delete(tx, id))) throw new GroupNotFoundError(id);
      await this.revocations.revoke(tx, ...userIds.map((userId) => ({ userId })));
    });
  }

  /** Whether a group is one of those that a user is in; without a user, of all. */
  async #isAmong(ctx: RequestContext, id: string, userId: string | undefined): Promise<boolean> {
    return userId === undefined || (await this.members.read(ctx, id, userId)).isMember;
  }
}

function changedGroup(before: Group, { name, description, extra }: GroupUpdate): Group {
  const { id, domainId, createdAt } = before;
  return {
    id,
    domainId,
    createdAt,
    name: name?.trim() ?? before.name,
    description: description === undefined ? before.description : (description ?? ''),
    extra: { ...before.extra, ...extra },
  };
}
