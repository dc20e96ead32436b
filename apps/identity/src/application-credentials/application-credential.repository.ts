import type { AccessRule as Rule } from '@cumulet/common/context/access-rules';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError, invalid } from '@cumulet/common/errors/domain-error';
import { equals, oneOf } from '@cumulet/common/tables/condition';
import { newId } from '../database/new-id.js';
import { ownedBy, type OwnedRef } from '../database/owned-ref.js';
import {
  DuplicateNameError,
  InUseError,
  notFoundBy,
  NotFoundError,
} from '../resource/resource.errors.js';
import { ResourceTable } from '../resource/resource.service.js';
import type { Role, RoleId } from '../roles/role.resource.js';
import {
  AccessRule,
  type AccessRuleDto,
  type AccessRuleId,
  ApplicationCredential,
  rolesOf,
  RULE,
  rulesOf,
} from './application-credential.resource.js';

class AccessRuleTable extends ResourceTable<AccessRule> {
  /**
   * The IDs of a user's rules, each once: rules with an ID must exist, others are created if missing.
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

  /** Creates missing rules. Nobody can remove any of them until the transaction ends. */
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
        -- One order everywhere prevents deadlocks.
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

  /** The IDs that are rules of the user; nobody can remove them until the transaction ends. */
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

export const accessRules = new AccessRuleTable(AccessRule, 'access rule', {
  refusals: {
    application_credential_access_rules_rule_fkey: ({ id = '' }) =>
      new InUseError(`Cannot delete the access rule ${id}: application credentials use it.`),
  },
});

function complete({ service, method, path }: AccessRuleDto): Rule {
  if (service === undefined || method === undefined || path === undefined)
    throw new InvalidInputError(
      'Invalid input: each of access_rules must have either an id, or a service, a method and a path.',
    );
  return { service, method, path };
}

function distinct(rules: readonly Rule[]): Rule[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

export type ApplicationCredentialRef =
  | { readonly id: string }
  | { readonly name: string; readonly user: OwnedRef };

type Columns = Pick<
  ApplicationCredential,
  'id' | 'name' | 'userId' | 'projectId' | 'secretHash' | 'unrestricted'
>;

export interface LoginCredential
  extends Readonly<Columns>, Readonly<Pick<ApplicationCredential, 'expiresAt' | 'hasRules'>> {
  readonly roles: readonly Pick<Role, 'id' | 'name'>[];
  readonly accessRules: readonly Rule[];
}

/** A deleted application credential or trust. */
export type Gone = { readonly credentialId: string } | { readonly trustId: string };

export function hasExpired({ expiresAt }: Pick<LoginCredential, 'expiresAt'>): boolean {
  return expiresAt !== null && expiresAt.getTime() <= Date.now();
}

export interface NewCredential
  extends Columns, Pick<ApplicationCredential, 'description' | 'expiry' | 'parentId'> {
  /** Without implied ones, which it gets as well. */
  readonly roleIds: readonly RoleId[];
  /** Empty for no limit. */
  readonly accessRuleIds: readonly AccessRuleId[];
}

export class UnassignedRoleError extends invalid(
  (role: string) => `Invalid input: the role '${role}' is not among the roles of the token.`,
) {}

class ApplicationCredentialTable extends ResourceTable<ApplicationCredential> {
  /** The one behind the caller's token, if any. @throws NotFoundError if it was deleted since */
  async makerOf(ctx: RequestContext): Promise<ApplicationCredential | undefined> {
    const { delegation } = ctx.fields;
    return delegation?.kind === 'application-credential' ? this.get(ctx, delegation.id) : undefined;
  }

  /** Also finds expired ones: callers must verify the secret before they reveal that. */
  async findForLogin(
    ctx: RequestContext,
    ref: ApplicationCredentialRef,
  ): Promise<LoginCredential | undefined> {
    const { condition, params } = named(ref);
    const rows: LoginCredential[] = await ctx.manager.query(
      `SELECT application_credentials.id, application_credentials.name, user_id AS "userId",
              project_id AS "projectId", secret_hash AS "secretHash", unrestricted,
              expires_at AS "expiresAt", has_rules AS "hasRules",
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

  /** @throws DuplicateNameError; NotFoundError, UnassignedRoleError for what was removed since */
  async create(tx: RequestContext, credential: NewCredential): Promise<void> {
    const { id, userId, projectId, name, description, secretHash } = credential;
    const { unrestricted, expiry, parentId, roleIds, accessRuleIds } = credential;
    const own = [id, userId, projectId, name, description, secretHash];
    const terms = [unrestricted, expiry, parentId];
    await this.write(
      tx,
      credential,
      `WITH RECURSIVE given (id) AS (
         SELECT unnest($1::text[])
         UNION SELECT implied_role_id FROM role_inferences JOIN given ON prior_role_id = given.id
       ), credential AS (
         INSERT INTO application_credentials (id, user_id, project_id, name, description,
                                              secret_hash, unrestricted, has_rules, expires_at,
                                              parent_id)
         VALUES ($3, $4, $5, $6, $7, $8, $9, cardinality($2::text[]) > 0, $10, $11) RETURNING id
       ), roles AS (
         INSERT INTO application_credential_roles (application_credential_id, role_id)
         SELECT credential.id, given.id FROM credential, given
       )
       INSERT INTO application_credential_access_rules (application_credential_id, access_rule_id)
       SELECT credential.id, unnest($2::text[]) FROM credential`,
      [roleIds, accessRuleIds, ...own, ...terms],
      {
        refusals: {
          application_credential_roles_role_id_fkey: () =>
            new UnassignedRoleError(roleIds.join("', '")),
        },
      },
    );
  }

  /**
   * Deletes one of a user's, with all that its tokens have created.
   * @returns the deleted application credentials and trusts; none if there was no such credential
   */
  async deleteChain(ctx: RequestContext, id: string, userId: string): Promise<Gone[]> {
    const rows: { credentialId: string | null; trustId: string | null }[] = await ctx.manager.query(
      `WITH RECURSIVE below (id) AS (
         SELECT id FROM application_credentials WHERE id = $1 AND user_id = $2
         UNION SELECT made.id FROM application_credentials made JOIN below ON made.parent_id = below.id
       ), given (id) AS (
         SELECT trusts.id FROM trusts JOIN below ON trusts.application_credential_id = below.id
         UNION SELECT trusts.id FROM trusts JOIN given ON trusts.redelegated_trust_id = given.id
       ), deleted AS (
         -- The others go by their foreign keys.
         DELETE FROM application_credentials WHERE id = $1 AND user_id = $2
       )
       SELECT id AS "credentialId", NULL AS "trustId" FROM below
       UNION ALL SELECT NULL, id FROM given`,
      [id, userId],
    );
    return rows.map(({ credentialId, trustId }) =>
      credentialId === null ? { trustId: trustId ?? '' } : { credentialId },
    );
  }
}

export const applicationCredentials = new ApplicationCredentialTable(
  ApplicationCredential,
  'application credential',
  {
    refusals: {
      application_credentials_user_name_key: (row) =>
        new DuplicateNameError('application credential', row),
      application_credentials_parent_id_fkey: notFoundBy('application credential', 'parentId'),
      application_credentials_project_id_fkey: ({ projectId = '' }) =>
        new NotFoundError('project', projectId),
    },
  },
);

function named(ref: ApplicationCredentialRef): { condition: string; params: readonly string[] } {
  if ('id' in ref) return { condition: 'application_credentials.id = $1', params: [ref.id] };
  const user = ownedBy('users', ref.user, 2);
  return {
    condition: `application_credentials.name = $1 AND ${user.condition}`,
    params: [ref.name, ...user.params],
  };
}
