import { Injectable } from '@nestjs/common';
import { asId, type DomainId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { violatesForeignKey } from '@cumulet/common/database/violations';
import { FixedPropertyError, refuseImmutable, refuseOtherId } from '../resource/resource.errors.js';
import { changedOptions } from '../resource/resource.options.js';
import { newId } from '../database/new-id.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import { RoleAssignmentRepository } from '../role-assignments/role-assignment.repository.js';
import type { CreateRoleDto, UpdateRoleDto } from './role.dto.js';
import type { Role } from './role.entity.js';
import { RoleInUseError, RoleNotFoundError } from './role.errors.js';
import { RoleRepository, type RoleFields } from './role.repository.js';

/** What roles there are. Public source: Keystone API reference, "Roles". */
@Injectable()
export class RolesService {
  constructor(
    private readonly roles: RoleRepository,
    private readonly assignments: RoleAssignmentRepository,
    private readonly revocations: RevocationsService,
  ) {}

  /** @throws RoleNotFoundError */
  async get(ctx: RequestContext, id: string): Promise<Role> {
    const role = await this.roles.find(ctx, id);
    if (!role) throw new RoleNotFoundError(id);
    return role;
  }

  /** @throws DuplicateRoleError, NotFoundError */
  async create(ctx: RequestContext, wanted: CreateRoleDto): Promise<RoleFields> {
    const { name, description, domain_id: domainId = null, options, extra = {} } = wanted;
    const role: RoleFields = {
      id: newId(),
      name,
      description: description ?? '',
      domainId: domainId === null ? null : asId<DomainId>(domainId),
      options: changedOptions({}, options),
      extra,
    };
    await this.roles.insert(ctx, role);
    return role;
  }

  /**
   * A new name takes the old one from everybody who has the role: tokens hold names.
   * @throws RoleNotFoundError, OtherIdError, ImmutableError, DuplicateRoleError
   * @throws FixedPropertyError for another domain
   */
  async update(ctx: RequestContext, id: string, wanted: UpdateRoleDto): Promise<RoleFields> {
    refuseOtherId('role', id, wanted.id);
    const change = changeOf(wanted);
    const work = async (tx: RequestContext): Promise<RoleFields> => {
      const before = await this.#lock(tx, id);
      refuseImmutable('role', before, change);
      const after = changed(before, change);
      await this.roles.update(tx, after);
      if (after.name !== before.name) await this.#revokeHolders(tx, id);
      return after;
    };
    return change.name === undefined
      ? inTransaction(ctx, work)
      : this.revocations.change(ctx, work);
  }

  /**
   * Nobody has the role by an assignment of it; those who have it by a role that implies it lose it.
   * @throws RoleNotFoundError, ImmutableError, RoleInUseError
   */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    try {
      await this.revocations.change(ctx, async (tx) => {
        refuseImmutable('role', await this.#lock(tx, id));
        await this.#revokeHolders(tx, id);
        await this.roles.delete(tx, id);
      });
    } catch (failure) {
      if (!violatesForeignKey(failure, 'role_assignments_role_id_fkey')) throw failure;
      throw new RoleInUseError(id, await this.assignments.count(ctx, id));
    }
  }

  async #lock(tx: RequestContext, id: string): Promise<Role> {
    const role = await this.roles.lock(tx, id);
    if (!role) throw new RoleNotFoundError(id);
    return role;
  }

  async #revokeHolders(tx: RequestContext, id: string): Promise<void> {
    const holders = await this.assignments.holdersOf(tx, id);
    await this.revocations.revoke(tx, ...holders.map((userId) => ({ userId })));
  }
}

type RoleChange = Omit<UpdateRoleDto, 'id' | 'links'>;

/** What a client wants to be another; it may send back what it has read. */
function changeOf({ id: _id, links: _links, extra = {}, ...change }: UpdateRoleDto): RoleChange {
  return Object.keys(extra).length > 0 ? { ...change, extra } : change;
}

/** @throws FixedPropertyError for another domain */
function changed(before: RoleFields, change: RoleChange): RoleFields {
  const { name, description, domain_id: domainId, options, extra } = change;
  if (domainId !== undefined && domainId !== before.domainId)
    throw new FixedPropertyError('role.domain_id');
  return {
    ...before,
    name: name ?? before.name,
    description: description === undefined ? before.description : (description ?? ''),
    options: changedOptions(before.options, options),
    extra: { ...before.extra, ...extra },
  };
}
