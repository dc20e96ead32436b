/** Public source: nova, `network/security_group_api.py`. */
import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { CreateSecurityGroupRuleDto, SecurityGroupDto } from './security-group.dto.js';
import {
  ruleView,
  securityGroupView,
  type SisterGroup,
  type SisterRule,
  ruleOf,
} from './security-group.wire.js';
import { Sisters } from './sisters.js';

const GROUPS = '/v2.0/security-groups';
const RULES = '/v2.0/security-group-rules';

@Injectable()
export class SecurityGroupsService {
  constructor(private readonly sisters: Sisters) {}

  /** @param isAcross whether groups of all projects that the caller sees are listed */
  async list(ctx: RequestContext, isAcross: boolean): Promise<object[]> {
    const groups = await this.#groups(ctx, isAcross);
    const sources = byId(groups);
    const order = (one: SisterGroup): string => `${one.project_id} ${one.name}`;
    return [...groups]
      .sort((one, other) => (order(one) < order(other) ? -1 : 1))
      .map((group) => securityGroupView(group, sources));
  }

  async show(ctx: RequestContext, id: string): Promise<object> {
    return this.#view(ctx, await this.#group(ctx, id));
  }

  async create(ctx: RequestContext, group: SecurityGroupDto): Promise<object> {
    const json = { security_group: group };
    const created = await this.sisters.network<{ security_group: SisterGroup }>(ctx, {
      method: 'POST',
      path: GROUPS,
      json,
    });
    return this.#view(ctx, created.security_group);
  }

  async update(ctx: RequestContext, id: string, group: SecurityGroupDto): Promise<object> {
    checkId(id);
    const json = { security_group: group };
    const changed = await this.sisters.network<{ security_group: SisterGroup }>(ctx, {
      method: 'PUT',
      path: `${GROUPS}/${id}`,
      json,
    });
    return this.#view(ctx, changed.security_group);
  }

  /** @throws InvalidInputError for the default group, or one in use */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    checkId(id);
    await this.sisters
      .network(ctx, { method: 'DELETE', path: `${GROUPS}/${id}` })
      .catch(conflictAsInvalid);
  }

  /** @throws InvalidInputError for an invalid or existing rule */
  async createRule(ctx: RequestContext, dto: CreateSecurityGroupRuleDto): Promise<object> {
    checkId(dto.parent_group_id);
    const json = { security_group_rule: ruleOf(dto) };
    await this.#group(ctx, dto.parent_group_id);
    const source = dto.group_id == null ? undefined : await this.#group(ctx, dto.group_id);
    const created = await this.sisters
      .network<{ security_group_rule: SisterRule }>(ctx, { method: 'POST', path: RULES, json })
      .catch(conflictAsInvalid);
    return ruleView(created.security_group_rule, byId(source ? [source] : []));
  }

  async removeRule(ctx: RequestContext, id: string): Promise<void> {
    checkId(id);
    await this.sisters.network(ctx, { method: 'DELETE', path: `${RULES}/${id}` });
  }

  async #view(ctx: RequestContext, group: SisterGroup): Promise<object> {
    const isAlone = group.security_group_rules.every(
      ({ remote_group_id: source }) => source === null || source === group.id,
    );
    return securityGroupView(group, byId(isAlone ? [group] : await this.#groups(ctx)));
  }

  async #groups(ctx: RequestContext, isAcross = false): Promise<readonly SisterGroup[]> {
    const query = { project_id: isAcross ? undefined : ctx.projectId };
    const request = { path: GROUPS, query };
    return (await this.sisters.network<{ security_groups: readonly SisterGroup[] }>(ctx, request))
      .security_groups;
  }

  async #group(ctx: RequestContext, id: string): Promise<SisterGroup> {
    checkId(id);
    const request = { path: `${GROUPS}/${id}` };
    return (await this.sisters.network<{ security_group: SisterGroup }>(ctx, request))
      .security_group;
  }
}

function byId(groups: readonly SisterGroup[]): ReadonlyMap<string, SisterGroup> {
  return new Map(groups.map((group) => [group.id, group]));
}

/** @throws InvalidInputError */
function checkId(id: string): void {
  const shown = id.slice(0, 255);
  if (!isUuid(id)) throw new InvalidInputError(`Security group id should be a uuid: ${shown}`);
}

/** Nova answers 400 for conflicts. */
function conflictAsInvalid(error: unknown): never {
  if (error instanceof DomainError && error.kind === 'conflict')
    throw new InvalidInputError(error.message, { cause: error });
  throw error;
}
