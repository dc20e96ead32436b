import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { transactionLock } from '@cumulet/common/database/advisory-lock';
import { inTransaction } from '@cumulet/common/database/transaction';
import { RevocationsService } from '../revocations/revocations.service.js';
import { RoleAssignmentRepository } from '../role-assignments/role-assignment.repository.js';
import type { Role } from '../roles/role.entity.js';
import { RolesService } from '../roles/roles.service.js';
import {
  GlobalImpliesDomainRoleError,
  ImpliedRoleNotFoundError,
  InferenceCycleError,
  ProhibitedImpliedRoleError,
} from './role-inference.errors.js';
import {
  RoleInferenceRepository,
  type InferenceIds,
  type Inferences,
} from './role-inference.repository.js';

const LOCK = 'cumulet:identity:role-inferences';

/** As Keystone's setting `prohibited_implied_role` has it by default. */
const PROHIBITED = 'admin';

export interface Inference {
  readonly prior: Role;
  readonly implied: Role;
}

/**
 * Roles that imply others. Public source: Keystone API reference, "Create role inference rule".
 *
 * Always holds: no role implies itself by any way. Inferences are made one after the other, so that
 * the halves of a cycle cannot be made at the same time.
 */
@Injectable()
export class RoleInferencesService {
  constructor(
    private readonly inferences: RoleInferenceRepository,
    private readonly roles: RolesService,
    private readonly assignments: RoleAssignmentRepository,
    private readonly revocations: RevocationsService,
  ) {}

  /** @throws RoleNotFoundError */
  async listOf(ctx: RequestContext, priorId: string): Promise<Inferences> {
    const prior = await this.roles.get(ctx, priorId);
    const [found] = await this.inferences.list(ctx, priorId);
    return found ?? { prior, implies: [] };
  }

  /** @throws RoleNotFoundError, ImpliedRoleNotFoundError */
  async get(ctx: RequestContext, ids: InferenceIds): Promise<Inference> {
    const inference = await this.#rolesOf(ctx, ids);
    if (!(await this.inferences.has(ctx, ids)))
      throw new ImpliedRoleNotFoundError(ids.prior, ids.implied);
    return inference;
  }

  /**
   * @throws RoleNotFoundError, ProhibitedImpliedRoleError, GlobalImpliesDomainRoleError
   * @throws InferenceCycleError, DuplicateInferenceError
   */
  create(ctx: RequestContext, ids: InferenceIds): Promise<Inference> {
    return inTransaction(ctx, async (tx) => {
      await transactionLock(tx.manager, LOCK);
      const inference = await this.#rolesOf(tx, ids);
      refuseProhibited(inference);
      const chain = await this.inferences.chain(tx, ids.implied, ids.prior);
      if (chain) throw new InferenceCycleError([inference.prior.name, ...chain]);
      await this.inferences.insert(tx, ids);
      return inference;
    });
  }

  /**
   * Revokes all tokens of everybody who has the prior role, by whichever way: one event per user.
   * It could spare those who have the implied role by another way, or on whose scope the prior role
   * is not; they have to log in again, no more.
   * @throws RoleNotFoundError, ImpliedRoleNotFoundError
   */
  async delete(ctx: RequestContext, ids: InferenceIds): Promise<void> {
    await this.get(ctx, ids);
    await this.revocations.change(ctx, async (tx) => {
      if (!(await this.inferences.delete(tx, ids)))
        throw new ImpliedRoleNotFoundError(ids.prior, ids.implied);
      const holders = await this.assignments.holdersOf(tx, ids.prior);
      await this.revocations.revoke(tx, ...holders.map((userId) => ({ userId })));
    });
  }

  async #rolesOf(ctx: RequestContext, { prior, implied }: InferenceIds): Promise<Inference> {
    return { prior: await this.roles.get(ctx, prior), implied: await this.roles.get(ctx, implied) };
  }
}

/** @throws ProhibitedImpliedRoleError, GlobalImpliesDomainRoleError */
function refuseProhibited({ prior, implied }: Inference): void {
  if (implied.name === PROHIBITED) throw new ProhibitedImpliedRoleError(implied.name, implied.id);
  if (prior.domainId === null && implied.domainId !== null)
    throw new GlobalImpliesDomainRoleError(prior.id, implied.id);
}
