/**
 * Trusts: a user lets another act for it.
 *
 * Always holds: nobody gives by a trust what the token does not have by which it is made.
 */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { newId } from '../database/new-id.js';
import { orRefused } from '../http/or-refused.js';
import type { PageQuery } from '../http/page.js';
import { refuseRestrictedCredential } from '../policy/delegated-callers.js';
import { NOTHING } from '../policy/policy-target.js';
import { authorise, type Operation } from '../policy/policy.js';
import { ProjectNotFoundError } from '../projects/project.errors.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import { chosenRoles } from '../roles/chosen-roles.js';
import type { Role, RoleId } from '../roles/role.entity.js';
import { ScopeRepository } from '../tokens/scope.repository.js';
import type { GrantedRole } from '../tokens/scope.js';
import { UserNotFoundError } from '../users/user.errors.js';
import { trustTerms, type TrustTerms } from './trust-terms.js';
import type { CreateTrustDto } from './trust.dto.js';
import {
  RedelegationError,
  RolesRequiredError,
  RolesWithoutProjectError,
  TrustNotFoundError,
  TrustRoleNotFoundError,
} from './trust.errors.js';
import {
  TrustRepository,
  type DetailedTrust,
  type ListedTrust,
  type TrustFilter,
} from './trust.repository.js';

export interface TrustWithRoles {
  readonly trust: DetailedTrust;
  readonly roles: readonly Role[];
}

@Injectable()
export class TrustsService {
  constructor(
    private readonly trusts: TrustRepository,
    private readonly scopes: ScopeRepository,
    private readonly revocations: RevocationsService,
  ) {}

  /** @throws MarkerNotFoundError */
  list(ctx: RequestContext, filter: TrustFilter, page: PageQuery): Promise<ListedTrust[]> {
    const { trustorUserId, trusteeUserId } = filter;
    if (trustorUserId !== undefined) {
      authorise(ctx, 'identity:list_trusts_for_trustor', about(trustorUserId));
    } else if (trusteeUserId !== undefined) {
      authorise(ctx, 'identity:list_trusts_for_trustee', about(trusteeUserId));
    } else {
      authorise(ctx, 'identity:list_trusts');
    }
    return this.trusts.list(ctx, filter, page);
  }

  /** @throws TrustNotFoundError before anything else: the trust is the caller's, or nobody's */
  async get(ctx: RequestContext, operation: Operation, id: string): Promise<TrustWithRoles> {
    const trust = await this.trusts.find(ctx, id);
    if (!trust) throw new TrustNotFoundError(id);
    authorise(ctx, operation, about(trust.trustorUserId, trust.trusteeUserId));
    return { trust, roles: await this.trusts.rolesOf(ctx, id) };
  }

  /**
   * Gives roles of the caller's, or passes on some that it has by a trust itself. Public source:
   * Keystone API reference, "Create trust".
   */
  async create(ctx: RequestContext, wanted: CreateTrustDto): Promise<TrustWithRoles> {
    const { trustor_user_id: trustorUserId, trustee_user_id: trusteeUserId } = wanted;
    const { delegation } = ctx.fields;
    const passedId = delegation?.kind === 'trust' ? delegation.id : undefined;
    authorise(ctx, 'identity:create_trust', about(trustorUserId));
    const passed = passedId === undefined ? undefined : await this.trusts.find(ctx, passedId);
    if (passedId !== undefined && !passed) throw new TrustNotFoundError(passedId);
    const terms = trustTerms(wanted, passed);
    const roleIds = await this.#roleIds(ctx, wanted, terms, passed);
    const id = newId<DetailedTrust['id']>();
    return inTransaction(ctx, async (tx) => {
      await orRefused(
        this.trusts.insert(tx, {
          id,
          trustorUserId,
          trusteeUserId,
          redelegatedTrustId: passed?.id ?? null,
          roleIds,
          ...terms,
        }),
        {
          trusts_trustee_user_id_fkey: () => new UserNotFoundError(trusteeUserId),
          // Removed since they were looked at.
          trusts_trustor_user_id_fkey: () => new UserNotFoundError(trustorUserId),
          trusts_redelegated_trust_id_fkey: () => new TrustNotFoundError(passedId ?? ''),
          trusts_project_id_fkey: () => new ProjectNotFoundError(terms.projectId ?? ''),
          trust_roles_role_id_fkey: () =>
            new TrustRoleNotFoundError(roleIds.join(', '), terms.projectId ?? ''),
        },
      );
      return this.get(tx, 'identity:get_trust', id);
    });
  }

  /**
   * Removes a trust and those that were made of it; their tokens are refused from here on. Also one
   * that cannot be used any more: its tokens may be alive. Its trustee may as the trustor only.
   * @throws TrustNotFoundError
   */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    const trust = await this.trusts.findAny(ctx, id);
    if (!trust) throw new TrustNotFoundError(id);
    authorise(ctx, 'identity:delete_trust', about(trust.trustorUserId));
    refuseRestrictedCredential(ctx, 'trusts');
    await this.revocations.change(ctx, async (tx) => {
      const gone = await this.trusts.delete(tx, id);
      if (gone.length === 0) throw new TrustNotFoundError(id);
      await this.revocations.revoke(tx, ...gone.map((trustId) => ({ trustId })));
    });
  }

  async #roleIds(
    ctx: RequestContext,
    { roles }: CreateTrustDto,
    { projectId }: TrustTerms,
    passed: DetailedTrust | undefined,
  ): Promise<RoleId[]> {
    const wanted = roles ?? [];
    if (projectId === null) {
      if (wanted.length > 0) throw new RolesWithoutProjectError();
      return [];
    }
    if (wanted.length === 0) throw new RolesRequiredError(projectId);
    const available = passed ? passed.roles : await this.#ownRoles(ctx, projectId);
    const chosen = chosenRoles(available, wanted, (role) =>
      passed
        ? new RedelegationError(`the trust ${passed.id} does not give the role ${role}`)
        : new TrustRoleNotFoundError(role, projectId),
    );
    return chosen.map(({ id }) => id);
  }

  /** A password is good for every project of its user, an application credential for its own only. */
  async #ownRoles(ctx: RequestContext, projectId: string): Promise<readonly GrantedRole[]> {
    const scope = await this.scopes.project(ctx, ctx.userId, { id: projectId });
    const roles = scope?.kind === 'project' ? scope.roles : [];
    if (ctx.fields.delegation === undefined) return roles;
    if (ctx.fields.projectId !== projectId) return [];
    return roles.filter(({ name }) => ctx.roles.includes(name));
  }
}

function about(...ownerIds: readonly string[]): typeof NOTHING {
  return { ...NOTHING, ownerIds };
}
