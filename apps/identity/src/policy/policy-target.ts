/** The resources that a request names, with the domain that owns each. */
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { domainOfCaller } from './caller.js';

const KINDS = ['user', 'group', 'project', 'domain', 'role'] as const;

/** Path parameters, the same in every route. */
const NAMES = [...KINDS.map((kind) => `${kind}_id` as const), 'credential_id', 'trust_id'] as const;

export type NamedIds = { readonly [Name in (typeof NAMES)[number]]?: string };

export interface Subject {
  readonly kind: (typeof KINDS)[number];
  readonly id: string;
  /** The domain that owns it, its own id for a domain; null for a role of all domains. */
  readonly domainId: string | null;
}

export interface PolicyTarget {
  /** Undefined in the place of one that does not exist. */
  readonly subjects: readonly (Subject | undefined)[];
  /** The user in the path, the owner of a credential, both users of a trust. */
  readonly ownerIds: readonly string[];
  /** The domain of what is being created: the one that the body names, or else the caller's. */
  readonly newIn?: string | undefined;
  /** The global roles among a role in the path and all that it implies. */
  readonly grantedRoles: readonly string[];
  /** Whether a role is granted on projects, directly or by inheritance. */
  readonly grantsOnProjects: boolean;
}

export const NOTHING: PolicyTarget = {
  subjects: [],
  ownerIds: [],
  grantedRoles: [],
  grantsOnProjects: false,
};

export interface TargetRow extends Pick<PolicyTarget, 'ownerIds' | 'grantedRoles'> {
  readonly subjects: readonly Subject[];
}

@Injectable()
export class PolicyTargets {
  /** Runs at most one statement. */
  async of(ctx: RequestContext, request: FastifyRequest): Promise<PolicyTarget> {
    const ids = request.params as NamedIds;
    const named = KINDS.filter((kind) => ids[`${kind}_id`] !== undefined);
    const isLookedUp = NAMES.some((name) => ids[name] !== undefined);
    const found = isLookedUp ? await this.read(ctx, ids) : undefined;
    const isGrant = ids.role_id !== undefined && ids.domain_id !== undefined;
    // The route's own spelling: the client's may differ (%5F for an underscore).
    const route = request.routeOptions.url ?? '';
    return {
      subjects: named.map((kind) => found?.subjects.find((one) => one.kind === kind)),
      ownerIds: [...(ids.user_id === undefined ? [] : [ids.user_id]), ...(found?.ownerIds ?? [])],
      newIn: request.method === 'POST' ? newDomainOf(ctx, request.body) : undefined,
      grantedRoles: found?.grantedRoles ?? [],
      grantsOnProjects:
        ids.project_id !== undefined || (isGrant && route.includes('/inherited_to_projects')),
    };
  }

  async read(ctx: RequestContext, ids: NamedIds): Promise<TargetRow | undefined> {
    const [row] = await preparedRows<TargetRow>(
      ctx.manager,
      `WITH RECURSIVE subjects (kind, id, "domainId") AS (
         SELECT 'user', id, domain_id FROM users WHERE id = $1
         UNION ALL SELECT 'group', id, domain_id FROM groups WHERE id = $2
         UNION ALL SELECT 'project', id, domain_id FROM projects WHERE id = $3
         UNION ALL SELECT 'domain', id, id FROM domains WHERE id = $4
         UNION ALL SELECT 'role', id, domain_id FROM roles WHERE id = $5
       ), owners (id) AS (
         SELECT user_id FROM credentials WHERE id = $6
         UNION ALL SELECT trustor_user_id FROM trusts WHERE id = $7
         UNION ALL SELECT trustee_user_id FROM trusts WHERE id = $7
       ), granted (id) AS (
         SELECT $5::text
         UNION SELECT implied_role_id FROM role_inferences JOIN granted ON prior_role_id = granted.id
       )
       SELECT COALESCE((SELECT json_agg(subjects) FROM subjects), '[]') AS subjects,
              COALESCE((SELECT json_agg(id) FROM owners), '[]') AS "ownerIds",
              COALESCE((SELECT json_agg(name) FROM roles JOIN granted USING (id)
                         WHERE domain_id IS NULL), '[]') AS "grantedRoles"`,
      NAMES.map((name) => ids[name]),
    );
    return row;
  }
}

/** The domain that a body names before it is validated, `{"user": {"domain_id": "…"}}`. */
export function newDomainOf(ctx: RequestContext, body: unknown): string {
  const [resource] = isObject(body) ? Object.values(body) : [];
  const named = isObject(resource) ? resource['domain_id'] : undefined;
  return typeof named === 'string' ? named : domainOfCaller(ctx);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
