import { Injectable } from '@nestjs/common';
import type { AccessRule as Rule } from '@cumulet/common/auth/access-rules';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import { newId } from '../database/new-id.js';
import { inexactMatch, type InexactFilter } from '../http/inexact-filter.js';
import { orRefused } from '../http/or-refused.js';
import { pageOf, type ListOrder, type PageQuery } from '../http/page.js';
import { AccessRule, type AccessRuleId } from './access-rule.entity.js';
import { AccessRuleInUseError } from './access-rule.errors.js';

export type AccessRuleFilter = { readonly [Field in keyof Rule]?: string | undefined } & {
  readonly inexact?: readonly InexactFilter[];
};

const COLUMNS = { service: 'service', method: 'method', path: 'path' };

const ORDER: ListOrder<AccessRule> = [
  { column: 'service', direction: 'asc', value: ({ service }) => service },
  { column: 'path', direction: 'asc', value: ({ path }) => path },
  { column: 'method', direction: 'asc', value: ({ method }) => method },
];

/** Every rule belongs to a user, and is found together with it only. */
@Injectable()
export class AccessRuleRepository {
  find(ctx: RequestContext, userId: string, id: string): Promise<AccessRule | undefined> {
    return selectRow(ctx.manager, AccessRule, 'WHERE user_id = $1 AND id = $2', [userId, id]);
  }

  /** @throws MarkerNotFoundError */
  async list(
    ctx: RequestContext,
    userId: string,
    { service, method, path, ...filter }: AccessRuleFilter,
    query: PageQuery,
  ): Promise<AccessRule[]> {
    const inexact = inexactMatch(filter.inexact, COLUMNS, 5);
    const page = await pageOf(query, ORDER, (id) => this.find(ctx, userId, id), inexact.next);
    return selectRows(
      ctx.manager,
      AccessRule,
      `WHERE user_id = $1 AND ($2::text IS NULL OR service = $2)
         AND ($3::text IS NULL OR method = $3) AND ($4::text IS NULL OR path = $4)
         AND ${inexact.condition} AND ${page.condition} ${page.order}`,
      [userId, service, method, path, ...inexact.params, ...page.params],
    );
  }

  /**
   * The user's rules that say this, each made where there is none yet. Until the transaction ends,
   * nobody can remove them.
   */
  async ensure(
    ctx: RequestContext,
    userId: string,
    rules: readonly Rule[],
  ): Promise<AccessRuleId[]> {
    const rows: { id: AccessRuleId }[] = await ctx.manager.query(
      `INSERT INTO access_rules (id, user_id, service, method, path)
       SELECT new.id, $2, new.service, new.method, new.path
         FROM unnest($1::text[], $3::text[], $4::text[], $5::text[])
              AS new (id, service, method, path)
        -- Always in one order: whoever locks the same rules waits, and never for each other.
        ORDER BY new.service, new.method, new.path
       ON CONFLICT ON CONSTRAINT access_rules_user_rule_key DO UPDATE SET path = EXCLUDED.path
       RETURNING id`,
      [
        rules.map(() => newId()),
        userId,
        rules.map(({ service }) => service),
        rules.map(({ method }) => method),
        rules.map(({ path }) => path),
      ],
    );
    return rows.map(({ id }) => id);
  }

  /** Those of the ids that are rules of the user; nobody can remove them until the transaction ends. */
  async lock(ctx: RequestContext, userId: string, ids: readonly string[]): Promise<AccessRuleId[]> {
    const rows: { id: AccessRuleId }[] = await ctx.manager.query(
      `SELECT id FROM access_rules WHERE user_id = $1 AND id = ANY($2) ORDER BY id FOR KEY SHARE`,
      [userId, ids],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * @returns whether there was such a rule
   * @throws AccessRuleInUseError
   */
  async delete(ctx: RequestContext, userId: string, id: string): Promise<boolean> {
    const [, count]: [unknown, number] = await orRefused(
      ctx.manager.query('DELETE FROM access_rules WHERE user_id = $1 AND id = $2', [userId, id]),
      { application_credential_access_rules_rule_fkey: () => new AccessRuleInUseError(id) },
    );
    return count > 0;
  }
}
