import { Injectable } from '@nestjs/common';
import { Check, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { transactionLock } from '@cumulet/common/database/advisory-lock';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DomainError, ForbiddenError } from '@cumulet/common/errors/domain-error';
import { Table } from '@cumulet/common/tables/table';
import { notFoundBy } from '../resource/resource.errors.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import { roleAssignments } from '../roles/role-assignment.repository.js';
import { Role, type RoleId } from '../roles/role.resource.js';
import { roles } from '../roles/roles.service.js';

const LOCK = 'cumulet:identity:role-inferences';

/** The default of Keystone's setting `prohibited_implied_role`. */
const PROHIBITED = 'admin';

export interface InferenceIds {
  readonly prior_role_id: string;
  readonly implied_role_id: string;
}

export interface Inference {
  readonly prior: Role;
  readonly implied: Role;
}

/** Direct ones only. */
export interface Inferences {
  readonly prior: Pick<Role, 'id' | 'name'>;
  readonly implies: readonly Pick<Role, 'id' | 'name'>[];
}

@Entity('role_inferences')
@Check('role_inferences_self_check', 'prior_role_id <> implied_role_id')
export class RoleInference {
  @PrimaryColumn('text', {
    name: 'prior_role_id',
    primaryKeyConstraintName: 'role_inferences_pkey',
  })
  @ForeignKey(() => Role, { name: 'role_inferences_prior_role_id_fkey', onDelete: 'CASCADE' })
  priorRoleId: RoleId;

  @PrimaryColumn('text', {
    name: 'implied_role_id',
    primaryKeyConstraintName: 'role_inferences_pkey',
  })
  @ForeignKey(() => Role, { name: 'role_inferences_implied_role_id_fkey', onDelete: 'CASCADE' })
  @Index('role_inferences_implied_role_id_idx')
  impliedRoleId: RoleId;
}

class InferenceTable extends Table<RoleInference> {
  listByPrior(ctx: RequestContext, priorId?: string): Promise<Inferences[]> {
    return ctx.manager.query(
      `SELECT json_build_object('id', prior.id, 'name', prior.name) AS prior,
              json_agg(json_build_object('id', implied.id, 'name', implied.name)
                       ORDER BY implied.name, implied.id) AS implies
         FROM role_inferences
         JOIN roles AS prior ON prior.id = prior_role_id
         JOIN roles AS implied ON implied.id = implied_role_id
        WHERE $1::text IS NULL OR prior.id = $1
        GROUP BY prior.id ORDER BY prior.name, prior.id`,
      [priorId],
    );
  }

  /**
   * The names of the roles on the shortest path from one role to the other, both included. Undefined if
   * the one does not imply the other.
   */
  async chain(ctx: RequestContext, fromId: string, toId: string): Promise<string[] | undefined> {
    const rows: { names: string[] }[] = await ctx.manager.query(
      `WITH RECURSIVE chain (role_id, ids, names) AS (
         SELECT id, ARRAY[id], ARRAY[name] FROM roles WHERE id = $1
         UNION ALL
         SELECT roles.id, chain.ids || roles.id, chain.names || roles.name
           FROM chain JOIN role_inferences ON prior_role_id = chain.role_id
                      JOIN roles ON roles.id = implied_role_id
          WHERE roles.id <> ALL (chain.ids)
       )
       SELECT names FROM chain WHERE role_id = $2 ORDER BY cardinality(names) LIMIT 1`,
      [fromId, toId],
    );
    return rows[0]?.names;
  }
}

export const inferences = new InferenceTable(RoleInference, {
  missing: (key) => {
    const { priorRoleId = '', impliedRoleId = '' } = typeof key === 'string' ? {} : key;
    return new DomainError(
      'not-found',
      `Could not find implied role: the role ${priorRoleId} does not imply ${impliedRoleId}.`,
    );
  },
  refusals: {
    role_inferences_pkey: ({ priorRoleId = '', impliedRoleId = '' }) =>
      new DomainError(
        'conflict',
        `The role ${priorRoleId} implies the role ${impliedRoleId} already.`,
      ),
    role_inferences_prior_role_id_fkey: notFoundBy('role', 'priorRoleId'),
    role_inferences_implied_role_id_fkey: notFoundBy('role', 'impliedRoleId'),
  },
});

/**
 * Always holds: no role implies itself, directly or through others. A lock serialises creations, so
 * that two requests cannot close a cycle. Public source: Keystone API reference, "Create role
 * inference rule".
 */
@Injectable()
export class RoleInferencesService {
  constructor(private readonly revocations: RevocationsService) {}

  /** @throws NotFoundError */
  async listOf(ctx: RequestContext, priorId: string): Promise<Inferences> {
    const prior = await roles.get(ctx, priorId);
    const [found] = await inferences.listByPrior(ctx, priorId);
    return found ?? { prior, implies: [] };
  }

  /** @throws NotFoundError for either role, DomainError if the one does not imply the other */
  async get(ctx: RequestContext, ids: InferenceIds): Promise<Inference> {
    const inference = await rolesOf(ctx, ids);
    await inferences.get(ctx, keyOf(ids));
    return inference;
  }

  /**
   * @throws NotFoundError, ForbiddenError for a role that may not be implied
   * @throws DomainError for a cycle, and if the one implies the other already
   */
  create(ctx: RequestContext, ids: InferenceIds): Promise<Inference> {
    return inTransaction(ctx, async (tx) => {
      await transactionLock(tx.manager, LOCK);
      const inference = await rolesOf(tx, ids);
      refuseProhibited(inference);
      const chain = await inferences.chain(tx, ids.implied_role_id, ids.prior_role_id);
      if (chain) {
        const { name } = inference.prior;
        throw new DomainError(
          'conflict',
          `The role '${name}' would imply itself: ${[name, ...chain].join(' -> ')}.`,
        );
      }
      await inferences.insert(tx, keyOf(ids));
      return inference;
    });
  }

  /**
   * Revokes all tokens of every user who has the prior role, with one event per user. Some would not
   * lose the implied role; they only have to log in again.
   * @throws as `get`
   */
  async delete(ctx: RequestContext, ids: InferenceIds): Promise<void> {
    await this.get(ctx, ids);
    await this.revocations.change(ctx, async (tx) => {
      await inferences.delete(tx, keyOf(ids));
      const holders = await roleAssignments.holdersOf(tx, ids.prior_role_id);
      await this.revocations.revoke(tx, ...holders.map((userId) => ({ userId })));
    });
  }
}

function keyOf(ids: InferenceIds): RoleInference {
  return { priorRoleId: asId(ids.prior_role_id), impliedRoleId: asId(ids.implied_role_id) };
}

async function rolesOf(ctx: RequestContext, ids: InferenceIds): Promise<Inference> {
  return {
    prior: await roles.get(ctx, ids.prior_role_id),
    implied: await roles.get(ctx, ids.implied_role_id),
  };
}

function refuseProhibited({ prior, implied }: Inference): void {
  if (implied.name === PROHIBITED)
    throw new ForbiddenError(
      `The role ${implied.id} cannot be implied: no role may imply '${implied.name}'.`,
    );
  if (prior.domainId === null && implied.domainId !== null)
    throw new ForbiddenError(
      `The role ${prior.id} is of all domains, and cannot imply the role ${implied.id}, which is of one.`,
    );
}
