import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { newDomainOf } from './new-domain.js';
import type { PolicyTarget, Subject } from './policy-target.js';
import { PolicyTargetRepository } from './policy-target.repository.js';

/** The path parameters that say what a request is about; the same in every route. */
export interface NamedIds {
  readonly user_id?: string;
  readonly group_id?: string;
  readonly project_id?: string;
  readonly domain_id?: string;
  readonly role_id?: string;
  readonly credential_id?: string;
  readonly trust_id?: string;
}

const KINDS = ['user', 'group', 'project', 'domain', 'role'] as const satisfies Subject['kind'][];

/** From a request to what it is about, in at most one statement. */
@Injectable()
export class PolicyTargets {
  constructor(private readonly rows: PolicyTargetRepository) {}

  async of(ctx: RequestContext, request: FastifyRequest): Promise<PolicyTarget> {
    const ids = request.params as NamedIds;
    const named = KINDS.filter((kind) => ids[`${kind}_id`] !== undefined);
    const found = Object.keys(ids).length === 0 ? undefined : await this.rows.read(ctx, ids);
    const isGrant = ids.role_id !== undefined && ids.domain_id !== undefined;
    return {
      subjects: named.map((kind) => found?.subjects.find((one) => one.kind === kind)),
      ownerIds: [...(ids.user_id === undefined ? [] : [ids.user_id]), ...(found?.ownerIds ?? [])],
      newIn: request.method === 'POST' ? newDomainOf(ctx, request.body) : undefined,
      grantedRoles: found?.roleNames ?? [],
      grantsOnProjects:
        ids.project_id !== undefined || (isGrant && request.url.includes('/inherited_to_projects')),
    };
  }
}
