import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import { pageClause } from '@cumulet/common/http/paging';
import { inexactMatch, type InexactFilter } from '../http/inexact-filter.js';
import { orRefused } from '../http/or-refused.js';
import { byName, type PageStart } from '../http/page.js';
import { DuplicateNameError } from '../http/resource-errors.js';
import { tagsMatch, type TagFilter } from '../project-tags/tag-filter.js';
import { domainsOf } from '../role-assignments/user-reach.sql.js';
import { Domain } from './domain.entity.js';
import { DomainIdTakenError } from './domain.errors.js';

export type DomainFields = Omit<Domain, 'createdAt'>;

export interface DomainFilter {
  readonly name?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly tags?: TagFilter | undefined;
  readonly inexact?: readonly InexactFilter[] | undefined;
  /** Only this domain: the caller's token is of it. */
  readonly within?: string | undefined;
}

@Injectable()
export class DomainRepository {
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

  find(ctx: RequestContext, id: string): Promise<Domain | undefined> {
    return selectRow(ctx.manager, Domain, 'WHERE id = $1', [id]);
  }

  /** The same, and nobody else changes the domain before the transaction ends. */
  lock(tx: RequestContext, id: string): Promise<Domain | undefined> {
    return selectRow(tx.manager, Domain, 'WHERE id = $1 FOR UPDATE', [id]);
  }

  list(ctx: RequestContext, filter: DomainFilter, { rows, after }: PageStart): Promise<Domain[]> {
    const { name, enabled, within } = filter;
    const tags = tagsMatch(filter.tags, 4);
    const inexact = inexactMatch(filter.inexact, { name: 'name' }, tags.next);
    const page = pageClause({ limit: rows, sort: byName('domains'), after }, inexact.next);
    return selectRows(
      ctx.manager,
      Domain,
      `WHERE ($1::text IS NULL OR name = $1) AND ($2::boolean IS NULL OR enabled = $2)
         AND ($3::text IS NULL OR id = $3) AND ${tags.condition} AND ${inexact.condition}
         AND ${page.condition} ${page.order}`,
      [name, enabled, within, ...tags.params, ...inexact.params, ...page.params],
    );
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

  /**
   * Domains are shown as projects too, so that the two share their ids.
   * @throws DomainIdTakenError, DuplicateNameError
   */
  async insert(ctx: RequestContext, domain: DomainFields): Promise<void> {
    const rows: unknown[] = await refused(
      domain,
      ctx.manager.query(
        `INSERT INTO domains (id, name, description, enabled, tags, options)
         SELECT $1, $2, $3, $4, $5, $6
          WHERE NOT EXISTS (SELECT FROM projects WHERE id = $1)
         RETURNING id`,
        columns(domain),
      ),
    );
    if (rows.length === 0) throw new DomainIdTakenError(domain.id);
  }

  /** @throws DuplicateNameError */
  async update(tx: RequestContext, domain: DomainFields): Promise<void> {
    await refused(
      domain,
      tx.manager.query(
        `UPDATE domains SET name = $2, description = $3, enabled = $4, tags = $5, options = $6
          WHERE id = $1`,
        columns(domain),
      ),
    );
  }

  /** Removes the domain with all that it owns. */
  async delete(tx: RequestContext, id: string): Promise<void> {
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
}

function columns({ id, name, description, enabled, tags, options }: DomainFields): unknown[] {
  return [id, name, description, enabled, tags, options];
}

function refused<T>({ id, name }: DomainFields, work: Promise<T>): Promise<T> {
  return orRefused(work, {
    domains_name_key: () => new DuplicateNameError('domain', name),
    domains_pkey: () => new DomainIdTakenError(id),
  });
}
