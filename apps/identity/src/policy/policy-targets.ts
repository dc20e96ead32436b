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
const LOOKED_UP = [
  ...KINDS.map((kind) => `${kind}_id` as const),
  'credential_id',
  'trust_id',
] as const;

/** From a request to what it is about, in at most one statement. */
@Injectable()
export class PolicyTargets {
  constructor(private readonly rows: PolicyTargetRepository) {}

  async of(ctx: RequestContext, request: FastifyRequest): Promise<PolicyTarget> {
    const ids = request.params as NamedIds;
    const named = KINDS.filter((kind) => ids[`${kind}_id`] !== undefined);
    const isLookedUp = LOOKED_UP.some((name) => ids[name] !== undefined);
    const found = isLookedUp ? await this.rows.read(ctx, ids) : undefined;
    const isGrant = ids.role_id !== undefined && ids.domain_id !== undefined;
    // The route's own words: those of the client may be spelt in another way (%5F for an underscore).
    const route = request.routeOptions.url ?? '';
    return {
      subjects: named.map((kind) => found?.subjects.find((one) => one.kind === kind)),
      ownerIds: [...(ids.user_id === undefined ? [] : [ids.user_id]), ...(found?.ownerIds ?? [])],
      newIn: request.method === 'POST' ? newDomainOf(ctx, request.body) : undefined,
      grantedRoles: found?.roleNames ?? [],
      grantsOnProjects:
        ids.project_id !== undefined || (isGrant && route.includes('/inherited_to_projects')),
    };
  }
}
