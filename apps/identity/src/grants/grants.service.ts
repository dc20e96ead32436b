import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { orRefused } from '../http/or-refused.js';
import { type NamedIds, PolicyTargets, type Subject } from '../policy/policy-target.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import { RoleAssignmentRepository } from '../role-assignments/role-assignment.repository.js';
import type { Role } from '../roles/role.entity.js';
import {
  DomainRoleMismatchError,
  DomainRoleOnSystemError,
  notFound,
  RoleAssignmentNotFoundError,
} from './grant.errors.js';
import { grantOf, placeOf, tokensBy, type GrantIds } from './grant.js';

const KINDS = ['role', 'user', 'group', 'project', 'domain'] as const satisfies Subject['kind'][];

/**
 * Roles of a user or a group on a project, a domain or the system; `inherited`, on the projects
 * below instead. Public source: Keystone API reference, "Roles", "OS-INHERIT API" and "System Role
 * Assignments".
 */
@Injectable()
export class GrantsService {
  constructor(
    private readonly assignments: RoleAssignmentRepository,
    private readonly named: PolicyTargets,
    private readonly revocations: RevocationsService,
  ) {}

  /** @throws NotFoundError and the like, for whatever the path names and is not there */
  async list(ctx: RequestContext, ids: NamedIds, inherited = false): Promise<Role[]> {
    await this.#subjects(ctx, ids);
    return this.assignments.listRoles(ctx, placeOf(ids, inherited));
  }

  /** @throws RoleAssignmentNotFoundError, or as `list` */
  async check(ctx: RequestContext, ids: GrantIds, inherited = false): Promise<void> {
    await this.#subjects(ctx, ids);
    const grant = grantOf(ids, inherited);
    if (!(await this.assignments.has(ctx, grant))) throw new RoleAssignmentNotFoundError(grant);
  }

  /**
   * Does nothing where the grant is there already.
   * @throws DomainRoleMismatchError, DomainRoleOnSystemError, or as `list`
   */
  async create(ctx: RequestContext, ids: GrantIds, inherited = false): Promise<void> {
    refuseForeignRole(await this.#subjects(ctx, ids));
    // What has been removed since it was looked up is found missing by the rows' constraints.
    const refusals = namedIn(ids).map(({ kind, id }) => {
      return [`role_assignments_${kind}_id_fkey`, () => notFound(kind, id)] as const;
    });
    await orRefused(
      this.assignments.ensure(ctx, [grantOf(ids, inherited)]),
      Object.fromEntries(refusals),
    );
  }

  /**
   * Revokes the tokens that the user, or each member of the group, has by this place.
   * @throws RoleAssignmentNotFoundError, or as `list`
   */
  async delete(ctx: RequestContext, ids: GrantIds, inherited = false): Promise<void> {
    await this.check(ctx, ids, inherited);
    const grant = grantOf(ids, inherited);
    await this.revocations.change(ctx, async (tx) => {
      const userIds = await this.assignments.delete(tx, grant);
      if (!userIds) throw new RoleAssignmentNotFoundError(grant);
      await this.revocations.revoke(tx, ...userIds.map((userId) => tokensBy(grant, userId)));
    });
  }

  async #subjects(ctx: RequestContext, ids: NamedIds): Promise<readonly Subject[]> {
    const subjects = (await this.named.read(ctx, ids))?.subjects ?? [];
    const missing = namedIn(ids).find(({ kind }) => !subjects.some((one) => one.kind === kind));
    if (missing) throw notFound(missing.kind, missing.id);
    return subjects;
  }
}

function namedIn(ids: NamedIds): { readonly kind: Subject['kind']; readonly id: string }[] {
  return KINDS.flatMap((kind) => {
    const id = ids[`${kind}_id`];
    return id === undefined ? [] : [{ kind, id }];
  });
}

/** @throws DomainRoleMismatchError, DomainRoleOnSystemError */
function refuseForeignRole(subjects: readonly Subject[]): void {
  const role = subjects.find(({ kind }) => kind === 'role');
  const target = subjects.find(({ kind }) => kind === 'project' || kind === 'domain');
  if (role === undefined || role.domainId === null) return;
  if (!target) throw new DomainRoleOnSystemError(role);
  if (target.domainId !== role.domainId) throw new DomainRoleMismatchError(role, target);
}
