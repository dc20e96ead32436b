import { Injectable } from '@nestjs/common';
import type { DomainId, ProjectId, UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { domainIs, ownedBy, type DomainRef, type OwnedRef } from '../database/owned-ref.js';
import type { GrantedRole, Scope } from './scope.js';

interface DomainRow {
  readonly domainId: DomainId;
  readonly domainName: string;
  readonly roles: readonly GrantedRole[];
}

interface ProjectRow extends DomainRow {
  readonly id: ProjectId;
  readonly name: string;
}

/**
 * Scopes as a user may have them, each in one statement: the target is there and enabled, and the
 * user has a role on it. `undefined` says that one of these does not hold, and never which.
 */
@Injectable()
export class ScopeRepository {
  async project(ctx: RequestContext, userId: UserId, ref: OwnedRef): Promise<Scope | undefined> {
    const { condition, params } = ownedBy('projects', ref, 2);
    const rows: ProjectRow[] = await ctx.manager.query(
      `SELECT projects.id, projects.name, domains.id AS "domainId", domains.name AS "domainName",
              ${rolesWhere('role_assignments.project_id = projects.id')} AS roles
         FROM projects JOIN domains ON domains.id = projects.domain_id
        WHERE ${condition} AND projects.enabled AND domains.enabled`,
      [userId, ...params],
    );
    const row = rows[0];
    if (!row || row.roles.length === 0) return undefined;
    const { id, name, domainId, domainName, roles } = row;
    return {
      kind: 'project',
      project: { id, name },
      domain: { id: domainId, name: domainName },
      roles,
    };
  }

  async domain(ctx: RequestContext, userId: UserId, ref: DomainRef): Promise<Scope | undefined> {
    const { condition, params } = domainIs(ref, 2);
    const rows: DomainRow[] = await ctx.manager.query(
      `SELECT domains.id AS "domainId", domains.name AS "domainName",
              ${rolesWhere('role_assignments.domain_id = domains.id')} AS roles
         FROM domains WHERE ${condition} AND domains.enabled`,
      [userId, ...params],
    );
    const row = rows[0];
    if (!row || row.roles.length === 0) return undefined;
    return { kind: 'domain', domain: { id: row.domainId, name: row.domainName }, roles: row.roles };
  }

  async system(ctx: RequestContext, userId: UserId): Promise<Scope | undefined> {
    const rows: Pick<DomainRow, 'roles'>[] = await ctx.manager.query(
      `SELECT ${rolesWhere('role_assignments.on_system')} AS roles`,
      [userId],
    );
    const roles = rows[0]?.roles ?? [];
    return roles.length === 0 ? undefined : { kind: 'system', roles };
  }
}

/** A list of the roles that the user `$1` has on a target, by name. */
function rolesWhere(target: string): string {
  return `COALESCE((
    SELECT json_agg(json_build_object('id', roles.id, 'name', roles.name) ORDER BY roles.name)
      FROM role_assignments JOIN roles ON roles.id = role_assignments.role_id
     WHERE role_assignments.user_id = $1 AND ${target}), '[]')`;
}
