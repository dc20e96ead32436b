import { Injectable } from '@nestjs/common';
import type { AccessRule as Rule } from '@cumulet/common/auth/access-rules';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { PageQuery } from '../http/page.js';
import { refuseTrust } from '../policy/delegated-callers.js';
import type { AccessRuleDto } from './access-rule.dto.js';
import type { AccessRule, AccessRuleId } from './access-rule.entity.js';
import { AccessRuleNotFoundError, IncompleteAccessRuleError } from './access-rule.errors.js';
import { AccessRuleRepository, type AccessRuleFilter } from './access-rule.repository.js';

@Injectable()
export class AccessRulesService {
  constructor(private readonly rules: AccessRuleRepository) {}

  /** @throws MarkerNotFoundError */
  async list(
    ctx: RequestContext,
    userId: string,
    filter: AccessRuleFilter,
    page: PageQuery,
  ): Promise<AccessRule[]> {
    refuseTrust(ctx);
    return this.rules.list(ctx, userId, filter, page);
  }

  /** @throws AccessRuleNotFoundError */
  async get(ctx: RequestContext, userId: string, id: string): Promise<AccessRule> {
    refuseTrust(ctx);
    const rule = await this.rules.find(ctx, userId, id);
    if (!rule) throw new AccessRuleNotFoundError(id);
    return rule;
  }

  /** @throws AccessRuleNotFoundError, AccessRuleInUseError */
  async delete(ctx: RequestContext, userId: string, id: string): Promise<void> {
    refuseTrust(ctx);
    if (!(await this.rules.delete(ctx, userId, id))) throw new AccessRuleNotFoundError(id);
  }

  /**
   * The user's rules as a client wants them for an application credential, each once: by id, or by
   * what they allow, and then made where the user has none like it.
   * @throws AccessRuleNotFoundError, IncompleteAccessRuleError
   */
  async idsOf(
    tx: RequestContext,
    userId: string,
    wanted: readonly AccessRuleDto[],
  ): Promise<AccessRuleId[]> {
    const byId = wanted.flatMap(({ id }) => id ?? []);
    const found = byId.length === 0 ? [] : await this.rules.lock(tx, userId, byId);
    const missing = byId.find((id) => !found.some((one) => one === id));
    if (missing !== undefined) throw new AccessRuleNotFoundError(missing);
    const rules = distinct(wanted.filter(({ id }) => id === undefined).map(complete));
    const made = rules.length === 0 ? [] : await this.rules.ensure(tx, userId, rules);
    return [...new Set([...found, ...made])];
  }
}

function complete({ service, method, path }: AccessRuleDto): Rule {
  if (service === undefined || method === undefined || path === undefined) {
    throw new IncompleteAccessRuleError();
  }
  return { service, method, path };
}

function distinct(rules: readonly Rule[]): Rule[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}
