import type { AccessRule as Rule } from '@cumulet/common/context/access-rules';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { equals, oneOf } from '@cumulet/common/tables/condition';
import { InUseError, NotFoundError } from '../resource/resource.errors.js';
import { newId } from '../database/new-id.js';
import { ResourceTable } from '../resource/resource.service.js';
import type { AccessRuleDto } from './access-rule.dto.js';
import { AccessRule, type AccessRuleId } from './access-rule.entity.js';

class AccessRuleTable extends ResourceTable<AccessRule> {
  /**
   * The rules of a user that a client wants for an application credential, each once: by id, or by
   * what they allow, and then made where the user has none like it.
   * @throws NotFoundError, InvalidInputError for a rule with neither an id nor all that it allows
   */
  async idsOf(
    tx: RequestContext,
    userId: string,
    wanted: readonly AccessRuleDto[],
  ): Promise<AccessRuleId[]> {
    const byId = wanted.flatMap(({ id }) => id ?? []);
    const found = byId.length === 0 ? [] : await this.lockAll(tx, userId, byId);
    const missing = byId.find((id) => !found.some((one) => one === id));
    if (missing !== undefined) throw new NotFoundError('access rule', missing);
    const rules = distinct(wanted.filter(({ id }) => id === undefined).map(complete));
    const made = rules.length === 0 ? [] : await this.ensure(tx, userId, rules);
    return [...new Set([...found, ...made])];
  }

  /**
   * The user's rules that say this, each made where there is none yet, up to a user's bound. Until the transaction ends,
   * nobody can remove them.
   */
  async ensure(
    ctx: RequestContext,
    userId: string,
    rules: readonly Rule[],
  ): Promise<AccessRuleId[]> {
    const rows = await this.write<{ id: AccessRuleId }>(
      ctx,
      {},
      `INSERT INTO access_rules (id, user_id, service, method, path)
       SELECT new.id, $2, new.service, new.method, new.path
         FROM unnest($1::text[], $3::text[], $4::text[], $5::text[])
              AS new (id, service, method, path)
        -- Always in one order, so that two who lock the same rules never wait for each other.
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
  async lockAll(
    tx: RequestContext,
    userId: string,
    ids: readonly string[],
  ): Promise<AccessRuleId[]> {
    const theirs = [equals('userId', userId), oneOf('id', ids)];
    const rows = await this.select(tx, theirs, 'ORDER BY id FOR KEY SHARE');
    return rows.map(({ id }) => id);
  }
}

/** Every rule belongs to a user, and is found together with it only. */
export const accessRules = new AccessRuleTable(AccessRule, 'access rule', {
  refusals: {
    application_credential_access_rules_rule_fkey: ({ id = '' }) =>
      new InUseError(`Cannot delete the access rule ${id}: application credentials use it.`),
  },
});

function complete({ service, method, path }: AccessRuleDto): Rule {
  if (service === undefined || method === undefined || path === undefined)
    throw new InvalidInputError(
      'Invalid input: each of access_rules must have either the id of one, or service, method and path.',
    );
  return { service, method, path };
}

function distinct(rules: readonly Rule[]): Rule[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}
