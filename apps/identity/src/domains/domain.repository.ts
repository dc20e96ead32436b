import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import { Domain } from './domain.entity.js';

export interface DomainFilter {
  readonly name?: string | undefined;
  readonly enabled?: boolean | undefined;
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

  find(ctx: RequestContext, id: string): Promise<Domain | undefined> {
    return selectRow(ctx.manager, Domain, 'WHERE id = $1', [id]);
  }

  list(ctx: RequestContext, { name, enabled, within }: DomainFilter): Promise<Domain[]> {
    return selectRows(
      ctx.manager,
      Domain,
      `WHERE ($1::text IS NULL OR name = $1) AND ($2::boolean IS NULL OR enabled = $2)
         AND ($3::text IS NULL OR id = $3)
       ORDER BY name, id`,
      [name, enabled, within],
    );
  }

  /** The enabled domains on which a user has a role: those that its tokens can be scoped to. */
  listScopes(ctx: RequestContext, userId: string): Promise<Domain[]> {
    return selectRows(
      ctx.manager,
      Domain,
      `WHERE enabled AND id IN (SELECT domain_id FROM role_assignments WHERE user_id = $1)
       ORDER BY name, id`,
      [userId],
    );
  }
}
