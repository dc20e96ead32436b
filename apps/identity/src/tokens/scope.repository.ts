/** The scopes of tokens: a project, a domain, the system, or none. */
import { Injectable } from '@nestjs/common';
import type { DomainId, ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { domainIs, ownedBy, type DomainRef, type OwnedRef } from '../database/owned-ref.js';
import type { RoleId } from '../roles/role.entity.js';

/** The scope that a request asks for. */
export type ScopeRequest =
  /** None was named: the user's default project if it is available, else unscoped. */
  | { readonly kind: 'default' }
  | { readonly kind: 'unscoped' }
  | { readonly kind: 'project'; readonly project: OwnedRef }
  | { readonly kind: 'domain'; readonly domain: DomainRef }
  | { readonly kind: 'system' }
  | { readonly kind: 'trust'; readonly trustId: string };

export interface Named<T extends string> {
  readonly id: T;
  readonly name: string;
}

export type GrantedRole = Named<RoleId>;

/** A token's scope, with the roles that its user has there; never without one. */
export type Scope =
  | { readonly kind: 'unscoped' }
  | {
      readonly kind: 'project';
      readonly project: Named<ProjectId>;
      readonly domain: Named<DomainId>;
      readonly roles: readonly GrantedRole[];
    }
  | {
      readonly kind: 'domain';
      readonly domain: Named<DomainId>;
      readonly roles: readonly GrantedRole[];
    }
  | { readonly kind: 'system'; readonly roles: readonly GrantedRole[] };

interface RolesRow {
  readonly roles: readonly GrantedRole[];
  /** Whether all roles to which the scope is to be limited are available in it. */
  readonly complete: boolean;
}

interface DomainRow extends RolesRow {
  readonly domainId: DomainId;
  readonly domainName: string;
}

interface ProjectRow extends DomainRow {
  readonly id: ProjectId;
  readonly name: string;
}

/**
 * Scopes available to a user, each in one statement: the target exists and is enabled, and the user
 * has a role on it, directly or through a group, inherited or implied. `undefined` means that one
 * of these does not hold, without saying which.
 */
@Injectable()
export class ScopeRepository {
  /**
   * @param limit the role ids that make up the scope, with what they imply, instead of all that the
   * user has; one that the user lacks rules out the whole scope
   */
  async project(
    ctx: RequestContext,
    userId: string,
    ref: OwnedRef,
    limit?: readonly string[],
  ): Promise<Scope | undefined> {
    const { condition, params } = ownedBy('projects', ref, 2);
    const values = [userId, ...params];
    const role = limit && `$${values.length + 1}`;
    const [row] = await preparedRows<ProjectRow>(
      ctx.manager,
      `WITH RECURSIVE target AS (
         SELECT projects.id, projects.name, projects.ancestor_ids, projects.domain_id,
                domains.name AS domain_name
           FROM projects JOIN domains ON domains.id = projects.domain_id
          WHERE ${condition} AND projects.enabled AND domains.enabled
       ), ${rolesOn(
         `
         (NOT inherited AND project_id = target.id)
         OR (inherited AND (project_id = ANY (target.ancestor_ids)
                            OR role_assignments.domain_id = target.domain_id))`,
         role,
       )}
       SELECT target.id, target.name, target.domain_id AS "domainId",
              target.domain_name AS "domainName", effective.roles, effective.complete
         FROM target, effective`,
      limit ? [...values, limit] : values,
    );
    if (!row || !isUsable(row)) return undefined;
    const { id, name, domainId, domainName, roles } = row;
    return {
      kind: 'project',
      project: { id, name },
      domain: { id: domainId, name: domainName },
      roles,
    };
  }

  async domain(ctx: RequestContext, userId: string, ref: DomainRef): Promise<Scope | undefined> {
    const { condition, params } = domainIs(ref, 2);
    const [row] = await preparedRows<DomainRow>(
      ctx.manager,
      `WITH RECURSIVE target AS (
         SELECT domains.id, domains.name FROM domains WHERE ${condition} AND domains.enabled
       ), ${rolesOn('NOT inherited AND domain_id = target.id')}
       SELECT target.id AS "domainId", target.name AS "domainName", effective.roles,
              effective.complete
         FROM target, effective`,
      [userId, ...params],
    );
    if (!row || !isUsable(row)) return undefined;
    return { kind: 'domain', domain: { id: row.domainId, name: row.domainName }, roles: row.roles };
  }

  async system(ctx: RequestContext, userId: string): Promise<Scope | undefined> {
    const [row] = await preparedRows<RolesRow>(
      ctx.manager,
      `WITH RECURSIVE target AS (SELECT true), ${rolesOn('on_system')}
       SELECT effective.roles, effective.complete FROM effective`,
      [userId],
    );
    return row && isUsable(row) ? { kind: 'system', roles: row.roles } : undefined;
  }
}

function isUsable({ roles, complete }: RolesRow): boolean {
  return complete && roles.length > 0;
}

/**
 * Further parts of a `WITH RECURSIVE` that has a `target`: `effective` has one row with the global
 * roles, by name, that the user `$1` has there.
 * @param applies which assignments apply to the target
 * @param limit the parameter of role ids, to return only the roles that they amount to
 */
function rolesOn(applies: string, limit?: string): string {
  const granted = `granted (role_id) AS (
      SELECT role_id FROM role_assignments, target
       WHERE (user_id = $1 OR group_id IN (SELECT group_id FROM group_members WHERE user_id = $1))
         AND (${applies})
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
      SELECT COALESCE(json_agg(json_build_object('id', id, 'name', name) ORDER BY name)
                        FILTER (WHERE domain_id IS NULL), '[]') AS roles,
             ${complete} AS complete
        FROM roles WHERE id IN (SELECT role_id FROM ${source})
    )`;
}
