import { Injectable } from '@nestjs/common';
import type { UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRows } from '@cumulet/common/database/rows';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { DuplicateNameError } from '../resource/resource.errors.js';
import { ResourceTable } from '../resource/resource.service.js';
import { domainsOf } from '../role-assignments/user-reach.sql.js';
import { Domain } from './domain.entity.js';

/** The id that a new domain is to have belongs to another one, or to a project. */
export class DomainIdTakenError extends DomainError {
  constructor(id: string) {
    super('conflict', `A domain or a project with the id ${id} exists already.`);
  }
}

@Injectable()
export class DomainRepository extends ResourceTable<Domain> {
  constructor() {
    super(Domain, 'domain', {
      refusals: {
        domains_name_key: ({ name = '' }) => new DuplicateNameError('domain', name),
        domains_pkey: ({ id = '' }) => new DomainIdTakenError(id),
      },
    });
  }

  /** Makes the domain unless one of this id is there. */
  async ensure(ctx: RequestContext, { id, name }: Pick<Domain, 'id' | 'name'>): Promise<void> {
    await ctx.manager.query(
      'INSERT INTO domains (id, name) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
      [id, name],
    );
  }

  /** @returns the names of those that were disabled */
  async enable(ctx: RequestContext, id: string): Promise<string[]> {
    const [rows]: [{ name: string }[], number] = await ctx.manager.query(
      'UPDATE domains SET enabled = true WHERE id = $1 AND NOT enabled RETURNING name',
      [id],
    );
    return rows.map(({ name }) => name);
  }

  /** The enabled domains on which a user has a role: those that its tokens can be scoped to. */
  listScopes(ctx: RequestContext, userId: string): Promise<Domain[]> {
    return selectRows(
      ctx.manager,
      Domain,
      `WHERE enabled AND id IN (${domainsOf('$1')}) ORDER BY name, id`,
      [userId],
    );
  }

  /** Removes the domain with all that it owns. */
  override async delete(tx: RequestContext, id: string): Promise<void> {
    // The rest goes by its foreign keys, in whichever order; a role that somebody has cannot go.
    await tx.manager.query(
      `WITH unassigned AS (
         DELETE FROM role_assignments
          WHERE role_id IN (SELECT id FROM roles WHERE domain_id = $1)
       )
       DELETE FROM domains WHERE id = $1`,
      [id],
    );
  }

  /** A project or a role of the domain that may not be deleted. */
  async findImmutable(
    tx: RequestContext,
    domainId: string,
  ): Promise<{ readonly kind: string; readonly id: string } | undefined> {
    const rows: { kind: string; id: string }[] = await tx.manager.query(
      `SELECT 'project' AS kind, id FROM projects
        WHERE domain_id = $1 AND options @> '{"immutable": true}'
       UNION ALL
       SELECT 'role', id FROM roles WHERE domain_id = $1 AND options @> '{"immutable": true}'
       LIMIT 1`,
      [domainId],
    );
    return rows[0];
  }

  /**
   * The trusts in whose chain a user of the domain has a part: tokens of them may be those of users
   * of other domains, for projects of other domains.
   */
  async listTrusts(tx: RequestContext, domainId: string): Promise<string[]> {
    const rows: { id: string }[] = await tx.manager.query(
      `WITH RECURSIVE concerned (id) AS (
         SELECT trusts.id
           FROM users JOIN trusts ON users.id IN (trustor_user_id, trustee_user_id)
          WHERE users.domain_id = $1
         UNION
         SELECT trusts.id FROM trusts JOIN concerned ON redelegated_trust_id = concerned.id
       )
       SELECT id FROM concerned`,
      [domainId],
    );
    return rows.map(({ id }) => id);
  }

  /** The users of other domains who have roles by groups of this one. */
  async listGuests(tx: RequestContext, domainId: string): Promise<UserId[]> {
    const rows: { id: UserId }[] = await tx.manager.query(
      `SELECT DISTINCT users.id
         FROM groups JOIN group_members ON group_members.group_id = groups.id
                     JOIN users ON users.id = group_members.user_id
        WHERE groups.domain_id = $1 AND users.domain_id <> $1`,
      [domainId],
    );
    return rows.map(({ id }) => id);
  }
}

export const domains = new DomainRepository();
