/**
 * Always holds: a trust never exceeds the token that creates it, and one that an application credential
 * gives to a user ends with the credential.
 */
import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DomainError, ForbiddenError } from '@cumulet/common/errors/domain-error';
import { equalsIfGiven } from '@cumulet/common/tables/condition';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { applicationCredentials } from '../application-credentials/application-credential.repository.js';
import { NotFoundError } from '../resource/resource.errors.js';
import { newId } from '../database/new-id.js';
import { refuseRestrictedCredential } from '../policy/caller.js';
import { NOTHING } from '../policy/policy-target.js';
import { authorise, type Operation } from '../policy/policy.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import { roleAssignments } from '../roles/role-assignment.repository.js';
import { chosenRoles, ownRoles } from '../roles/role-ref.js';
import type { RoleId } from '../roles/role.resource.js';
import {
  boundTo,
  RedelegationError,
  TrustRoleNotFoundError,
  trustTerms,
  type TrustTerms,
} from './trust-terms.js';
import type { CreateTrustDto, ListTrustsQuery, Trust, TrustId } from './trust.resource.js';
import { trusts, type DetailedTrust } from './trust.repository.js';

@Injectable()
export class TrustsService {
  constructor(private readonly revocations: RevocationsService) {}

  /** @throws MarkerNotFoundError */
  list(ctx: RequestContext, query: ListTrustsQuery): Promise<PageOfRows<Trust>> {
    const { trustor_user_id: trustorUserId, trustee_user_id: trusteeUserId } = query;
    if (trustorUserId !== undefined) {
      authorise(ctx, 'identity:list_trusts_for_trustor', about(trustorUserId));
    } else if (trusteeUserId !== undefined) {
      authorise(ctx, 'identity:list_trusts_for_trustee', about(trusteeUserId));
    } else {
      authorise(ctx, 'identity:list_trusts');
    }
    return trusts.page(ctx, query, [
      ...equalsIfGiven('trustorUserId', trustorUserId),
      ...equalsIfGiven('trusteeUserId', trusteeUserId),
    ]);
  }

  /** @throws NotFoundError, before authorisation: a missing trust has no owner to check */
  async get(ctx: RequestContext, operation: Operation, id: string): Promise<DetailedTrust> {
    const trust = await trusts.findUsable(ctx, id);
    if (!trust) throw new NotFoundError('trust', id);
    authorise(ctx, operation, about(trust.trustorUserId, trust.trusteeUserId));
    return trust;
  }

  /**
   * Gives some of the caller's roles, or redelegates some of a trust's. Public source: Keystone API
   * reference, "Create trust".
   */
  async create(ctx: RequestContext, wanted: CreateTrustDto): Promise<DetailedTrust> {
    const { trustor_user_id: trustorUserId, trustee_user_id: trusteeUserId } = wanted;
    const { delegation } = ctx.fields;
    const passedId = delegation?.kind === 'trust' ? delegation.id : undefined;
    authorise(ctx, 'identity:create_trust', about(trustorUserId));
    const passed = passedId === undefined ? undefined : await trusts.findUsable(ctx, passedId);
    if (passedId !== undefined && !passed) throw new NotFoundError('trust', passedId);
    const terms = await this.#bound(ctx, trusteeUserId, trustTerms(wanted, passed));
    const roleIds = await this.#roleIds(ctx, wanted, terms, passed);
    const id = newId<TrustId>();
    return inTransaction(ctx, async (tx) => {
      await trusts.create(tx, {
        id,
        trustorUserId: asId(trustorUserId),
        trusteeUserId: asId(trusteeUserId),
        redelegatedTrustId: passed?.id ?? null,
        roleIds,
        ...terms,
      });
      return this.get(tx, 'identity:get_trust', id);
    });
  }

  /**
   * Deletes a trust and its redelegations, and revokes their tokens; also one that can no longer be
   * used, whose tokens may still be valid. A trustee needs a token that acts as the trustor.
   * @throws NotFoundError
   */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    const trust = await trusts.get(ctx, id);
    authorise(ctx, 'identity:delete_trust', about(trust.trustorUserId));
    refuseRestrictedCredential(ctx, 'trusts');
    await this.revocations.change(ctx, async (tx) => {
      const gone = await trusts.deleteChain(tx, id);
      if (gone.length === 0) throw new NotFoundError('trust', id);
      await this.revocations.revoke(tx, ...gone.map((trustId) => ({ trustId })));
    });
  }

  /**
   * A trust that an application credential gives to a user ends with the credential. One to a service
   * lives on: only the service can use it, for stacks and clusters that outlive the credential.
   */
  async #bound(ctx: RequestContext, trusteeId: string, terms: TrustTerms): Promise<TrustTerms> {
    const maker = await applicationCredentials.makerOf(ctx);
    if (!maker || (await roleAssignments.isService(ctx, trusteeId))) return terms;
    return boundTo(maker, terms);
  }

  async #roleIds(
    ctx: RequestContext,
    { roles }: CreateTrustDto,
    { projectId }: TrustTerms,
    passed: DetailedTrust | undefined,
  ): Promise<RoleId[]> {
    const wanted = roles ?? [];
    if (projectId === null) {
      if (wanted.length > 0)
        throw new DomainError('not-found', 'A trust that gives roles must have a project_id.');
      return [];
    }
    if (wanted.length === 0)
      throw new ForbiddenError(
        `A trust for the project ${projectId} must give at least one role on it.`,
      );
    const available = passed ? passed.roles : await ownRoles(ctx, projectId);
    const chosen = chosenRoles(available, wanted, (role) =>
      passed
        ? new RedelegationError(`the trust ${passed.id} does not give the role ${role}`)
        : new TrustRoleNotFoundError(role, projectId),
    );
    return chosen.map(({ id }) => id);
  }
}

function about(...ownerIds: readonly string[]): typeof NOTHING {
  return { ...NOTHING, ownerIds };
}
