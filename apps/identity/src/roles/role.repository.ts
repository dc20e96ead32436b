import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import { newId } from '../database/new-id.js';
import { Role, type RoleId } from './role.entity.js';

export interface RoleFilter {
  readonly name?: string | undefined;
}

@Injectable()
export class RoleRepository {
  /**
   * Makes those of the roles that are missing.
   * @param descriptions by name
   * @returns the ids by name
   */
  async ensure(
    ctx: RequestContext,
    descriptions: Readonly<Record<string, string>>,
  ): Promise<Map<string, RoleId>> {
    const names = Object.keys(descriptions);
    await ctx.manager.query(
      `INSERT INTO roles (id, name, description)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) 
       ON CONFLICT (name) WHERE domain_id IS NULL DO NOTHING`,
      [names.map(() => newId()), names, Object.values(descriptions)],
    );
    const rows = await selectRows(ctx.manager, Role, 'WHERE domain_id IS NULL AND name = ANY($1)', [
      names,
    ]);
    return new Map(rows.map(({ id, name }) => [name, id]));
  }

  find(ctx: RequestContext, id: string): Promise<Role | undefined> {
    return selectRow(ctx.manager, Role, 'WHERE id = $1', [id]);
  }

  list(ctx: RequestContext, { name }: RoleFilter): Promise<Role[]> {
    return selectRows(ctx.manager, Role, 'WHERE $1::text IS NULL OR name = $1 ORDER BY name, id', [
      name,
    ]);
  }
}
