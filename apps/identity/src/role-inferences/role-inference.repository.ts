import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { orRefused } from '../http/or-refused.js';
import type { RoleId } from '../roles/role.entity.js';
import { RoleNotFoundError } from '../roles/role.errors.js';
import { DuplicateInferenceError } from './role-inference.errors.js';

export interface InferenceIds {
  readonly prior: string;
  readonly implied: string;
}

export interface NamedRole {
  readonly id: RoleId;
  readonly name: string;
}

/** A role with the roles that it implies by itself, not by way of another. */
export interface Inferences {
  readonly prior: NamedRole;
  readonly implies: readonly NamedRole[];
}

@Injectable()
export class RoleInferenceRepository {
  /** Makes those of the inferences that are missing. */
  async ensure(ctx: RequestContext, inferences: readonly InferenceIds[]): Promise<void> {
    await ctx.manager.query(
      `INSERT INTO role_inferences (prior_role_id, implied_role_id)
       SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING`,
      [inferences.map(({ prior }) => prior), inferences.map(({ implied }) => implied)],
    );
  }

  /** All that there are, or those of one prior role. */
  list(ctx: RequestContext, priorId?: string): Promise<Inferences[]> {
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

  async has(ctx: RequestContext, { prior, implied }: InferenceIds): Promise<boolean> {
    const rows: unknown[] = await ctx.manager.query(
      'SELECT FROM role_inferences WHERE prior_role_id = $1 AND implied_role_id = $2',
      [prior, implied],
    );
    return rows.length > 0;
  }

  /** @throws DuplicateInferenceError, RoleNotFoundError */
  async insert(ctx: RequestContext, { prior, implied }: InferenceIds): Promise<void> {
    await orRefused(
      ctx.manager.query(
        'INSERT INTO role_inferences (prior_role_id, implied_role_id) VALUES ($1, $2)',
        [prior, implied],
      ),
      {
        role_inferences_pkey: () => new DuplicateInferenceError(prior, implied),
        role_inferences_prior_role_id_fkey: () => new RoleNotFoundError(prior),
        role_inferences_implied_role_id_fkey: () => new RoleNotFoundError(implied),
      },
    );
  }

  /** @returns whether there was such an inference */
  async delete(ctx: RequestContext, { prior, implied }: InferenceIds): Promise<boolean> {
    const [, count]: [unknown, number] = await ctx.manager.query(
      'DELETE FROM role_inferences WHERE prior_role_id = $1 AND implied_role_id = $2',
      [prior, implied],
    );
    return count > 0;
  }

  /**
   * The names of the roles by which one leads to the other, both included; the shortest way, and one
   * name alone for a role to itself. Undefined where it does not imply it.
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
