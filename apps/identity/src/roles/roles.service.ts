import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { violatesForeignKey } from '@cumulet/common/database/violations';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { equalsIfGiven } from '@cumulet/common/tables/condition';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { DuplicateNameError, NotFoundError, refuseImmutable } from '../resource/resource.errors.js';
import { scopeDomainOf } from '../policy/caller.js';
import { ResourceService, ResourceTable } from '../resource/resource.service.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import { roleAssignments } from './role-assignment.repository.js';
import { type CreateRoleDto, type ListRolesQuery, Role } from './role.resource.js';

const duplicate = (role: Partial<Role>): DomainError => new DuplicateNameError('role', role);

export const roles = new ResourceTable(Role, 'role', {
  fixed: ['domainId'],
  refusals: {
    roles_name_key: duplicate,
    roles_domain_name_key: duplicate,
    roles_domain_id_fkey: ({ domainId }) => new NotFoundError('domain', domainId ?? ''),
  },
});

@Injectable()
export class RolesService extends ResourceService<Role, CreateRoleDto> {
  protected readonly table = roles;

  constructor(private readonly revocations: RevocationsService) {
    super();
  }

  /** A token of a domain sees no roles of another. */
  override list(ctx: RequestContext, query: ListRolesQuery): Promise<PageOfRows<Role>> {
    const domainId = query.domain_id === undefined ? null : scopeDomainOf(ctx);
    return roles.page(ctx, query, equalsIfGiven('domainId', domainId));
  }

  override update(ctx: RequestContext, id: string, dto: Partial<CreateRoleDto>): Promise<Role> {
    const work = (tx: RequestContext): Promise<Role> => super.update(tx, id, dto);
    return dto.name === undefined ? work(ctx) : this.revocations.change(ctx, work);
  }

  /**
   * Users who have it by a role that implies it lose it.
   * @throws NotFoundError, ImmutableError, DomainError for a role that somebody has
   */
  override async delete(ctx: RequestContext, id: string): Promise<void> {
    try {
      await this.revocations.change(ctx, async (tx) => {
        refuseImmutable('role', await roles.lock(tx, id));
        await this.#revokeHolders(tx, id);
        await roles.delete(tx, id);
      });
    } catch (failure) {
      if (!violatesForeignKey(failure, 'role_assignments_role_id_fkey')) throw failure;
      const count = await roleAssignments.count(ctx, id);
      const words = `${count} role assignment${count === 1 ? '' : 's'}`;
      throw new DomainError(
        'conflict',
        `Cannot delete the role ${id}: it has ${words}. Remove them first.`,
      );
    }
  }

  /** A new name revokes the tokens of every user who has the role: tokens contain names. */
  protected override async allow(
    tx: RequestContext,
    { id, name }: Role,
    change: Partial<Role>,
  ): Promise<void> {
    if (change.name !== undefined && change.name !== name) await this.#revokeHolders(tx, id);
  }

  async #revokeHolders(tx: RequestContext, id: string): Promise<void> {
    const holders = await roleAssignments.holdersOf(tx, id);
    await this.revocations.revoke(tx, ...holders.map((userId) => ({ userId })));
  }
}
