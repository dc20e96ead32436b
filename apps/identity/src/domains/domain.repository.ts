import type { UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { conflict } from '@cumulet/common/errors/domain-error';
import { equals, equalsIfGiven, type Condition } from '@cumulet/common/tables/condition';
import { scopeDomainOf } from '../policy/caller.js';
import { DuplicateNameError } from '../resource/resource.errors.js';
import { ResourceTable } from '../resource/resource.service.js';
import { domainsOf } from '../database/user-reach.sql.js';
import { Domain } from './domain.resource.js';

export class DomainIdTakenError extends conflict(
  (id: string) => `A domain or a project with the id ${id} exists already.`,
) {}

export class DomainTable extends ResourceTable<Domain> {
  override visibleTo(ctx: RequestContext): readonly Condition[] {
    return equalsIfGiven('id', scopeDomainOf(ctx));
  }

  async isProject(ctx: RequestContext, id: string): Promise<boolean> {
    return (await idsOf(ctx, 'SELECT id FROM projects WHERE id = $1', id)).length > 0;
  }

  /** The enabled domains on which a user has a role: those that its tokens can be scoped to. */
  listScopes(ctx: RequestContext, userId: string): Promise<Domain[]> {
    const isOfUser: Condition = (bind) => `id IN (${domainsOf(bind(userId))})`;
    return this.select(ctx, [equals('enabled', true), isOfUser], 'ORDER BY name, id');
  }

  override async delete(tx: RequestContext, id: string): Promise<void> {
    // The foreign keys delete the rest in any order, and would refuse an assigned role.
    await tx.manager.query(
      `WITH unassigned AS (
         DELETE FROM role_assignments
          WHERE role_id IN (SELECT id FROM roles WHERE domain_id = $1)
       )
       DELETE FROM domains WHERE id = $1`,
      [id],
    );
  }

  /** An immutable project or role of the domain. */
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

  /** Trusts with a user of the domain in their chain; their tokens may be of other domains. */
  listTrusts(tx: RequestContext, domainId: string): Promise<string[]> {
    return idsOf(
      tx,
      `WITH RECURSIVE concerned (id) AS (
         SELECT trusts.id
           FROM users JOIN trusts ON users.id IN (trustor_user_id, trustee_user_id)
          WHERE users.domain_id = $1
         UNION
         SELECT trusts.id FROM trusts JOIN concerned ON redelegated_trust_id = concerned.id
       )
       SELECT id FROM concerned`,
      domainId,
    );
  }

  /** The users of other domains who have roles by groups of this one. */
  listGuests(tx: RequestContext, domainId: string): Promise<UserId[]> {
    return idsOf(
      tx,
      `SELECT DISTINCT users.id
         FROM groups JOIN group_members ON group_members.group_id = groups.id
                     JOIN users ON users.id = group_members.user_id
        WHERE groups.domain_id = $1 AND users.domain_id <> $1`,
      domainId,
    );
  }
}

export const domains = new DomainTable(Domain, 'domain', {
  refusals: {
    domains_name_key: (row) => new DuplicateNameError('domain', row),
    domains_pkey: ({ id = '' }) => new DomainIdTakenError(id),
  },
});

async function idsOf<T>(ctx: RequestContext, sql: string, id: string): Promise<T[]> {
  const rows: { id: T }[] = await ctx.manager.query(sql, [id]);
  return rows.map(({ id }) => id);
}
