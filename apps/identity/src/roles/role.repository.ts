import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import { NotFoundError } from '../resource/resource.errors.js';
import { newId } from '../database/new-id.js';
import { inexactMatch, type InexactFilter } from '../http/inexact-filter.js';
import { orRefused } from '../http/or-refused.js';
import { byName, pageOf, type PageQuery } from '../http/page.js';
import { Role, type RoleId } from './role.entity.js';
import { DuplicateRoleError } from './role.errors.js';

export interface RoleFilter {
  readonly name?: string | undefined;
  /** Roles of this domain; undefined for those of all domains. */
  readonly domainId?: string | undefined;
  readonly inexact?: readonly InexactFilter[];
  /** No roles of another domain than this: the caller's token is of it. */
  readonly within?: string | undefined;
}

export type RoleFields = Omit<Role, 'createdAt'>;

export interface EnsuredRoles {
  /** The ids of all of them by name. */
  readonly ids: ReadonlyMap<string, RoleId>;
  /** The names of those that were not there before. */
  readonly made: ReadonlySet<string>;
}

const COLUMNS = { name: 'name', domain_id: 'domain_id' };

@Injectable()
export class RoleRepository {
  /**
   * Makes those of the roles that are missing, immutable as Keystone's bootstrap makes them.
   * @param descriptions by name
   */
  async ensure(
    ctx: RequestContext,
    descriptions: Readonly<Record<string, string>>,
  ): Promise<EnsuredRoles> {
    const names = Object.keys(descriptions);
    const made: { name: string }[] = await ctx.manager.query(
      `INSERT INTO roles (id, name, description, options)
       SELECT *, '{"immutable": true}'::jsonb FROM unnest($1::text[], $2::text[], $3::text[])
       ON CONFLICT (name) WHERE domain_id IS NULL DO NOTHING
       RETURNING name`,
      [names.map(() => newId()), names, Object.values(descriptions)],
    );
    const rows = await selectRows(ctx.manager, Role, 'WHERE domain_id IS NULL AND name = ANY($1)', [
      names,
    ]);
    return {
      ids: new Map(rows.map(({ id, name }) => [name, id])),
      made: new Set(made.map(({ name }) => name)),
    };
  }

  find(ctx: RequestContext, id: string): Promise<Role | undefined> {
    return selectRow(ctx.manager, Role, 'WHERE id = $1', [id]);
  }

  /** Nobody else changes or removes the row before the transaction ends. */
  lock(ctx: RequestContext, id: string): Promise<Role | undefined> {
    return selectRow(ctx.manager, Role, 'WHERE id = $1 FOR UPDATE', [id]);
  }

  /** @throws MarkerNotFoundError */
  async list(ctx: RequestContext, filter: RoleFilter, query: PageQuery): Promise<Role[]> {
    const { name, domainId, within } = filter;
    const find = async (id: string): Promise<Role | undefined> => {
      const role = await this.find(ctx, id);
      const isForeign = within !== undefined && (role?.domainId ?? within) !== within;
      return isForeign ? undefined : role;
    };
    const inexact = inexactMatch(filter.inexact, COLUMNS, 4);
    const page = await pageOf<Role>(query, byName('roles'), find, inexact.next);
    return selectRows(
      ctx.manager,
      Role,
      `WHERE ($1::text IS NULL OR name = $1) AND domain_id IS NOT DISTINCT FROM $2
         AND ($3::text IS NULL OR domain_id IS NULL OR domain_id = $3)
         AND ${inexact.condition} AND ${page.condition} ${page.order}`,
      [name, domainId, within, ...inexact.params, ...page.params],
    );
  }

  /** @throws DuplicateRoleError, NotFoundError */
  insert(ctx: RequestContext, role: RoleFields): Promise<void> {
    return this.#write(
      ctx,
      `INSERT INTO roles (id, name, description, domain_id, options, extra)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      role,
    );
  }

  /** @throws DuplicateRoleError */
  update(ctx: RequestContext, role: RoleFields): Promise<void> {
    return this.#write(
      ctx,
      `UPDATE roles SET name = $2, description = $3, domain_id = $4, options = $5, extra = $6
        WHERE id = $1`,
      role,
    );
  }

  async delete(ctx: RequestContext, id: string): Promise<void> {
    await ctx.manager.query('DELETE FROM roles WHERE id = $1', [id]);
  }

  async #write(
    ctx: RequestContext,
    sql: string,
    { id, name, description, domainId, options, extra }: RoleFields,
  ): Promise<void> {
    const duplicate = (): DuplicateRoleError => new DuplicateRoleError(name, domainId);
    await orRefused(ctx.manager.query(sql, [id, name, description, domainId, options, extra]), {
      roles_name_key: duplicate,
      roles_domain_name_key: duplicate,
      roles_domain_id_fkey: () => new NotFoundError('domain', domainId ?? ''),
    });
  }
}
