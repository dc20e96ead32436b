/** The scopes of tokens: a project, a domain, the system, or none. */
import type { DomainId, ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { domainIs, ownedBy, type DomainRef, type OwnedRef } from '../database/owned-ref.js';
import { heldBy } from '../database/user-reach.sql.js';
import type { RoleId } from './role.resource.js';

export type ScopeRef =
  | { readonly kind: 'unscoped' }
  | { readonly kind: 'project'; readonly project: OwnedRef }
  | { readonly kind: 'domain'; readonly domain: DomainRef }
  | { readonly kind: 'system' };

export type ScopeRequest =
  | ScopeRef
  /** The user's default project if it is available, else unscoped. */
  | { readonly kind: 'default' }
  | { readonly kind: 'trust'; readonly trustId: string };

export interface Named<T extends string> {
  readonly id: T;
  readonly name: string;
}

export type GrantedRole = Named<RoleId>;

interface DomainScope {
  readonly kind: 'domain';
  readonly domain: Named<DomainId>;
  readonly roles: readonly GrantedRole[];
}

export interface ProjectScope extends Omit<DomainScope, 'kind'> {
  readonly kind: 'project';
  readonly project: Named<ProjectId>;
}

type SystemScope = Pick<DomainScope, 'roles'> & { readonly kind: 'system' };

/** With the roles that the user has there, at least one. */
export type Scope = { readonly kind: 'unscoped' } | ProjectScope | DomainScope | SystemScope;

/**
 * Scopes available to a user, each in one statement: the target is enabled, and the user has a role on
 * it, directly or by a group, inherited or implied. Undefined otherwise.
 */
class ScopeRepository {
  async find(ctx: RequestContext, userId: string, ref: ScopeRef): Promise<Scope | undefined> {
    switch (ref.kind) {
      case 'unscoped':
        return { kind: 'unscoped' };
      case 'project':
        return this.project(ctx, userId, ref.project);
      case 'domain':
        return this.domain(ctx, userId, ref.domain);
      case 'system':
        return this.system(ctx, userId);
    }
  }

  /**
   * @param limit the role ids that make up the scope, with what they imply, instead of all that the
   * user has; one that the user lacks rules out the whole scope
   */
  async project(
    ctx: RequestContext,
    userId: string,
    ref: OwnedRef,
    limit?: readonly string[],
  ): Promise<ProjectScope | undefined> {
    const { condition, params } = ownedBy('projects', ref, 2);
    const values = [userId, ...params];
    const role = limit && `$${values.length + 1}`;
    const [scope] = await preparedRows<ProjectScope>(
      ctx.manager,
      `WITH RECURSIVE target AS (
         SELECT projects.id, projects.ancestor_ids, projects.domain_id,
                ${named('projects')} AS project, ${named('domains')} AS domain
           FROM projects JOIN domains ON domains.id = projects.domain_id
          WHERE ${condition} AND projects.enabled AND domains.enabled
       ), ${rolesOn(
         `
         (NOT inherited AND project_id = target.id)
         OR (inherited AND (project_id = ANY (target.ancestor_ids)
                            OR role_assignments.domain_id = target.domain_id))`,
         role,
       )}
       SELECT 'project' AS kind, project, domain, roles FROM target, effective`,
      limit ? [...values, limit] : values,
    );
    return scope;
  }

  async domain(
    ctx: RequestContext,
    userId: string,
    ref: DomainRef,
  ): Promise<DomainScope | undefined> {
    const { condition, params } = domainIs(ref, 2);
    const [scope] = await preparedRows<DomainScope>(
      ctx.manager,
      `WITH RECURSIVE target AS (
         SELECT domains.id, ${named('domains')} AS domain FROM domains
          WHERE ${condition} AND domains.enabled
       ), ${rolesOn('NOT inherited AND NOT as_project AND domain_id = target.id')}
       SELECT 'domain' AS kind, domain, roles FROM target, effective`,
      [userId, ...params],
    );
    return scope;
  }

  async system(ctx: RequestContext, userId: string): Promise<SystemScope | undefined> {
    const [scope] = await preparedRows<SystemScope>(
      ctx.manager,
      `WITH RECURSIVE target AS (SELECT true), ${rolesOn('on_system')}
       SELECT 'system' AS kind, roles FROM effective`,
      [userId],
    );
    return scope;
  }
}

export const scopes = new ScopeRepository();

function named(table: string): string {
  return `json_build_object('id', ${table}.id, 'name', ${table}.name)`;
}

/**
 * Further parts of a `WITH RECURSIVE` that has a `target`: `effective` has one row with the global
 * roles, by name, that the user `$1` has there; none where it has no role.
 * @param applies which assignments apply to the target
 * @param limit the parameter of role ids, to return only the roles that they amount to; none if the
 *   user lacks one of them
 */
function rolesOn(applies: string, limit?: string): string {
  const granted = `granted (role_id) AS (
      SELECT role_id FROM role_assignments, target
       WHERE ${heldBy('$1')} AND (${applies})
      UNION
      SELECT implied_role_id FROM role_inferences JOIN granted ON prior_role_id = role_id
    )`;
  if (limit === undefined) return `${granted}, ${effective('granted', 'true')}`;
  return `${granted}, limited (role_id) AS (
      SELECT role_id FROM granted WHERE role_id = ANY (${limit}::text[])
      UNION
      SELECT implied_role_id FROM role_inferences JOIN limited ON prior_role_id = role_id
    ), ${effective('limited', `${limit}::text[] <@ ARRAY(SELECT role_id FROM granted)`)}`;
}

function effective(source: 'granted' | 'limited', complete: string): string {
  return `effective AS (
      SELECT json_agg(${named('roles')} ORDER BY name) AS roles
        FROM roles WHERE domain_id IS NULL AND id IN (SELECT role_id FROM ${source})
      HAVING count(*) > 0 AND ${complete}
    )`;
}
