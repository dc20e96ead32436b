import { Injectable } from '@nestjs/common';
import type { AccessRule } from '@cumulet/common/auth/access-rules';
import type { ProjectId, UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { shapeOf } from '@cumulet/common/database/rows';
import type { AccessRuleId } from '../access-rules/access-rule.entity.js';
import { ownedBy, type OwnedRef } from '../database/owned-ref.js';
import { exactText } from '../http/expiry.js';
import { inexactMatch, type InexactFilter } from '../http/inexact-filter.js';
import { byName, pageOf, type PageQuery } from '../http/page.js';
import type { Role, RoleId } from '../roles/role.entity.js';
import {
  ApplicationCredential,
  type ApplicationCredentialId,
} from './application-credential.entity.js';

/** How a client names an application credential to log in with. */
export type ApplicationCredentialRef =
  { readonly id: string } | { readonly name: string; readonly user: OwnedRef };

/** What authentication needs to know of an application credential. */
export interface LoginCredential {
  readonly id: ApplicationCredentialId;
  readonly name: string;
  readonly userId: UserId;
  readonly projectId: ProjectId;
  /** argon2id in PHC form. */
  readonly secretHash: string;
  readonly expiresAt: Date | null;
  readonly unrestricted: boolean;
  /** Whether it is bound to `accessRules`; false: they say nothing. */
  readonly hasRules: boolean;
  /** By name. Whether the user has them still is not looked at. */
  readonly roles: readonly { readonly id: RoleId; readonly name: string }[];
  readonly accessRules: readonly AccessRule[];
}

/** An application credential with all that belongs to it but its secret. */
export interface DetailedCredential extends ApplicationCredential {
  /** `expiresAt` with its microseconds. */
  readonly expiry: string | null;
  readonly roles: readonly Pick<Role, 'id' | 'name' | 'domainId' | 'description' | 'options'>[];
  readonly accessRules: readonly (AccessRule & { readonly id: AccessRuleId })[];
}

export interface NewCredential extends Pick<
  ApplicationCredential,
  'id' | 'userId' | 'projectId' | 'name' | 'description' | 'secretHash' | 'unrestricted'
> {
  readonly expiry: string | null;
  /** It gets what they imply as well. */
  readonly roleIds: readonly RoleId[];
  /** None: it is bound to no rules. */
  readonly accessRuleIds: readonly AccessRuleId[];
}

export interface ApplicationCredentialFilter {
  readonly name?: string | undefined;
  readonly inexact?: readonly InexactFilter[];
}

const ORDER = byName('application_credentials');

@Injectable()
export class ApplicationCredentialRepository {
  /** Also one that has expired: who asks must verify the secret before it says so. */
  async findForLogin(
    ctx: RequestContext,
    ref: ApplicationCredentialRef,
  ): Promise<LoginCredential | undefined> {
    const { condition, params } = named(ref);
    const rows: LoginCredential[] = await ctx.manager.query(
      `SELECT ${shapeOf(ctx.manager, ApplicationCredential).columns},
              application_credentials.secret_hash AS "secretHash",
              ${rolesOf("'id', roles.id, 'name', roles.name")} AS roles,
              ${rulesOf(RULE)} AS "accessRules"
         FROM application_credentials
         JOIN users ON users.id = application_credentials.user_id
         JOIN domains ON domains.id = users.domain_id
        WHERE ${condition}`,
      [...params],
    );
    return rows[0];
  }

  async find(
    ctx: RequestContext,
    userId: string,
    id: string,
  ): Promise<DetailedCredential | undefined> {
    const [found] = await this.#select(ctx, 'user_id = $1 AND id = $2', [userId, id]);
    return found;
  }

  /** @throws MarkerNotFoundError */
  async list(
    ctx: RequestContext,
    userId: string,
    filter: ApplicationCredentialFilter,
    query: PageQuery,
  ): Promise<DetailedCredential[]> {
    const inexact = inexactMatch(filter.inexact, { name: 'name' }, 3);
    const page = await pageOf(query, ORDER, (id) => this.find(ctx, userId, id), inexact.next);
    return this.#select(
      ctx,
      `user_id = $1 AND ($2::text IS NULL OR name = $2)
         AND ${inexact.condition} AND ${page.condition} ${page.order}`,
      [userId, filter.name, ...inexact.params, ...page.params],
    );
  }

  async insert(ctx: RequestContext, credential: NewCredential): Promise<void> {
    const { id, userId, projectId, name, description, secretHash } = credential;
    const { unrestricted, expiry, roleIds, accessRuleIds } = credential;
    await ctx.manager.query(
      `WITH RECURSIVE given (id) AS (
         SELECT unnest($1::text[])
         UNION SELECT implied_role_id FROM role_inferences JOIN given ON prior_role_id = given.id
       ), credential AS (
         INSERT INTO application_credentials (id, user_id, project_id, name, description,
                                              secret_hash, unrestricted, has_rules, expires_at)
         VALUES ($3, $4, $5, $6, $7, $8, $9, cardinality($2::text[]) > 0, $10) RETURNING id
       ), roles AS (
         INSERT INTO application_credential_roles (application_credential_id, role_id)
         SELECT credential.id, given.id FROM credential, given
       )
       INSERT INTO application_credential_access_rules (application_credential_id, access_rule_id)
       SELECT credential.id, unnest($2::text[]) FROM credential`,
      [
        roleIds,
        accessRuleIds,
        id,
        userId,
        projectId,
        name,
        description,
        secretHash,
        unrestricted,
        expiry,
      ],
    );
  }

  /** @returns whether there was such a credential */
  async delete(ctx: RequestContext, userId: string, id: string): Promise<boolean> {
    const [, count]: [unknown, number] = await ctx.manager.query(
      'DELETE FROM application_credentials WHERE user_id = $1 AND id = $2',
      [userId, id],
    );
    return count > 0;
  }

  #select(
    ctx: RequestContext,
    tail: string,
    params: readonly unknown[],
  ): Promise<DetailedCredential[]> {
    return ctx.manager.query(
      `SELECT ${shapeOf(ctx.manager, ApplicationCredential).columns},
              ${exactText('expires_at')} AS expiry,
              ${rolesOf(ROLE)} AS roles, ${rulesOf(`'id', access_rules.id, ${RULE}`)} AS "accessRules"
         FROM application_credentials WHERE ${tail}`,
      [...params],
    );
  }
}

const ROLE = `'id', roles.id, 'name', roles.name, 'domainId', roles.domain_id,
  'description', roles.description, 'options', roles.options`;

const RULE = `'service', service, 'method', method, 'path', path`;

/** SQL: a list of its roles, by name. */
function rolesOf(fields: string): string {
  return `COALESCE((
    SELECT json_agg(json_build_object(${fields}) ORDER BY roles.name)
      FROM application_credential_roles JOIN roles ON roles.id = role_id
     WHERE application_credential_id = application_credentials.id), '[]')`;
}

/** SQL: a list of its access rules. */
function rulesOf(fields: string): string {
  return `COALESCE((
    SELECT json_agg(json_build_object(${fields}) ORDER BY service, path, method)
      FROM application_credential_access_rules JOIN access_rules ON access_rules.id = access_rule_id
     WHERE application_credential_id = application_credentials.id), '[]')`;
}

function named(ref: ApplicationCredentialRef): { condition: string; params: readonly string[] } {
  if ('id' in ref) return { condition: 'application_credentials.id = $1', params: [ref.id] };
  const user = ownedBy('users', ref.user, 2);
  return {
    condition: `application_credentials.name = $1 AND ${user.condition}`,
    params: [ref.name, ...user.params],
  };
}
