/**
 * What users give to programs in place of their password.
 *
 * Always holds: a credential has no role that the token by which it was made had not, and its secret
 * leaves this process once, in the answer that makes it known.
 */
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { AccessRulesService } from '../access-rules/access-rules.service.js';
import { newId } from '../database/new-id.js';
import { readExpiry } from '../http/expiry.js';
import { orRefused } from '../http/or-refused.js';
import type { PageQuery } from '../http/page.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { refuseRestrictedCredential, refuseTrust } from '../policy/delegated-callers.js';
import { ProjectNotFoundError } from '../projects/project.errors.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import { chosenRoles } from '../roles/chosen-roles.js';
import type { RoleRefDto } from '../roles/role-ref.dto.js';
import type { RoleId } from '../roles/role.entity.js';
import { ScopeRepository } from '../tokens/scope.repository.js';
import type { ApplicationCredentialId } from './application-credential.entity.js';
import type { CreateApplicationCredentialDto } from './application-credential.dto.js';
import {
  ApplicationCredentialNotFoundError,
  DuplicateApplicationCredentialError,
  ProjectTokenRequiredError,
  UnassignedRoleError,
} from './application-credential.errors.js';
import {
  ApplicationCredentialRepository,
  type ApplicationCredentialFilter,
  type DetailedCredential,
  type NewCredential,
} from './application-credential.repository.js';

const SECRET_BYTES = 64;
const WHAT = 'application credentials';

@Injectable()
export class ApplicationCredentialsService {
  constructor(
    private readonly credentials: ApplicationCredentialRepository,
    private readonly accessRules: AccessRulesService,
    private readonly scopes: ScopeRepository,
    private readonly passwords: PasswordHasher,
    private readonly revocations: RevocationsService,
  ) {}

  /** @throws MarkerNotFoundError */
  async list(
    ctx: RequestContext,
    userId: string,
    filter: ApplicationCredentialFilter,
    page: PageQuery,
  ): Promise<DetailedCredential[]> {
    refuseTrust(ctx);
    return this.credentials.list(ctx, userId, filter, page);
  }

  /** @throws ApplicationCredentialNotFoundError, also for one of another user */
  async get(ctx: RequestContext, userId: string, id: string): Promise<DetailedCredential> {
    refuseTrust(ctx);
    return this.#found(ctx, userId, id);
  }

  /**
   * Makes one of the caller's, for the project of its token. Public source: Keystone API reference,
   * "Create application credential".
   * @throws UnassignedRoleError, DuplicateApplicationCredentialError, ProjectTokenRequiredError
   */
  async create(
    ctx: RequestContext,
    wanted: CreateApplicationCredentialDto,
  ): Promise<{ credential: DetailedCredential; secret: string }> {
    const { userId, fields } = ctx;
    const { projectId } = fields;
    if (projectId === undefined) throw new ProjectTokenRequiredError();
    const { name, description = null, unrestricted } = wanted;
    const expiry = readExpiry(wanted.expires_at);
    const roleIds = await this.#roleIds(ctx, projectId, wanted.roles ?? []);
    const secret = wanted.secret || randomBytes(SECRET_BYTES).toString('base64url');
    const secretHash = await this.passwords.hash(secret);
    const credential = await inTransaction(ctx, async (tx) => {
      const id = newId<ApplicationCredentialId>();
      const accessRuleIds = await this.accessRules.idsOf(tx, userId, wanted.access_rules ?? []);
      await this.#insert(tx, {
        ...{ id, userId, projectId, name, description, secretHash, expiry, roleIds, accessRuleIds },
        unrestricted: unrestricted ?? false,
      });
      return this.#found(tx, userId, id);
    });
    return { credential, secret };
  }

  /**
   * Its tokens are refused from here on.
   * @throws ApplicationCredentialNotFoundError
   */
  async delete(ctx: RequestContext, userId: string, id: string): Promise<void> {
    refuseTrust(ctx);
    refuseRestrictedCredential(ctx, WHAT);
    await this.revocations.change(ctx, async (tx) => {
      if (!(await this.credentials.delete(tx, userId, id))) {
        throw new ApplicationCredentialNotFoundError(id);
      }
      await this.revocations.revoke(tx, { credentialId: id });
    });
  }

  #insert(tx: RequestContext, credential: NewCredential): Promise<void> {
    const { name, projectId, roleIds } = credential;
    return orRefused(this.credentials.insert(tx, credential), {
      application_credentials_user_name_key: () => new DuplicateApplicationCredentialError(name),
      // Removed since the token was looked at.
      application_credentials_project_id_fkey: () => new ProjectNotFoundError(projectId),
      application_credential_roles_role_id_fkey: () =>
        new UnassignedRoleError(roleIds.join("', '")),
    });
  }

  async #found(ctx: RequestContext, userId: string, id: string): Promise<DetailedCredential> {
    const credential = await this.credentials.find(ctx, userId, id);
    if (!credential) throw new ApplicationCredentialNotFoundError(id);
    return credential;
  }

  /** Without a wish, all roles of the token; each as long as the caller has it still. */
  async #roleIds(
    ctx: RequestContext,
    projectId: ProjectId,
    wanted: readonly RoleRefDto[],
  ): Promise<RoleId[]> {
    const scope = await this.scopes.project(ctx, ctx.userId, { id: projectId });
    const assigned = scope?.kind === 'project' ? scope.roles : [];
    // A token's roles are those of its issue: of a user in person, what it has been given since counts.
    const isDelegated = ctx.fields.delegation !== undefined;
    const available = isDelegated
      ? assigned.filter(({ name }) => ctx.roles.includes(name))
      : assigned;
    const refs = wanted.length === 0 ? ctx.roles.map((name) => ({ name })) : wanted;
    const chosen = chosenRoles(available, refs, (role) => new UnassignedRoleError(role));
    return chosen.map(({ id }) => id);
  }
}
