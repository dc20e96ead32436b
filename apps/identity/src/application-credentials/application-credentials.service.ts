/**
 * Application credentials, which programs use in place of their user's password.
 *
 * Always holds: a credential has no more roles, requests or time than the token that created it, and
 * its secret is shown once, in the answer to its creation.
 */
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ProjectId, UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { readExpiry } from '../http/timestamp.js';
import {
  accessRules,
  applicationCredentials,
  UnassignedRoleError,
} from './application-credential.repository.js';
import { newId } from '../database/new-id.js';
import { PasswordHasher } from '../users/passwords/password-hasher.js';
import { refuseRestrictedCredential, refuseTrust } from '../policy/caller.js';
import { NotFoundError } from '../resource/resource.errors.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import { chosenRoles, ownRoles, type RoleRefDto } from '../roles/role-ref.js';
import type { RoleId } from '../roles/role.resource.js';
import type {
  ApplicationCredential,
  ApplicationCredentialId,
  CreateApplicationCredentialDto,
} from './application-credential.resource.js';
import { expiryWithin, refuseWiderRules } from './delegated-terms.js';

const SECRET_BYTES = 64;

@Injectable()
export class ApplicationCredentialsService {
  constructor(
    private readonly passwords: PasswordHasher,
    private readonly revocations: RevocationsService,
  ) {}

  /**
   * Creates a credential of the caller for the project of its token. Public source: Keystone API
   * reference, "Create application credential".
   * @returns the credential with its secret
   * @throws UnassignedRoleError, DuplicateNameError, ForbiddenError for a token without a project
   * @throws ExceedsMakerError for more than the application credential behind the token has
   */
  async create(
    ctx: RequestContext,
    wanted: CreateApplicationCredentialDto,
  ): Promise<ApplicationCredential & { readonly secret: string }> {
    const { userId } = ctx;
    const { projectId } = ctx.fields;
    if (projectId === undefined)
      throw new ForbiddenError(
        'Creating an application credential requires a token that is scoped to a project.',
      );
    const { name, description = null, unrestricted } = wanted;
    const maker = await applicationCredentials.makerOf(ctx);
    const asked = readExpiry(wanted.expires_at);
    const expiry = maker ? expiryWithin(maker, asked) : asked;
    const roleIds = await this.#roleIds(ctx, projectId, wanted.roles ?? []);
    const secret = wanted.secret || randomBytes(SECRET_BYTES).toString('base64url');
    const secretHash = await this.passwords.hash(secret);
    const credential = await inTransaction(ctx, async (tx) => {
      const id = newId<ApplicationCredentialId>();
      const rules = wanted.access_rules ?? [];
      const accessRuleIds =
        maker?.hasRules && rules.length === 0
          ? maker.accessRules.map((rule) => rule.id)
          : await accessRules.idsOf(tx, userId, rules);
      await applicationCredentials.create(tx, {
        id,
        userId,
        projectId,
        name,
        description,
        secretHash,
        expiry,
        parentId: maker?.id ?? null,
        roleIds,
        accessRuleIds,
        unrestricted: unrestricted ?? false,
      });
      const made = await applicationCredentials.get(tx, id);
      if (maker) refuseWiderRules(maker, made.accessRules);
      return made;
    });
    return Object.assign(credential, { secret });
  }

  /** Revokes its tokens, and deletes all that they have created. @throws NotFoundError */
  async delete(ctx: RequestContext, userId: UserId, id: ApplicationCredentialId): Promise<void> {
    refuseTrust(ctx);
    refuseRestrictedCredential(ctx, 'application credentials');
    await this.revocations.change(ctx, async (tx) => {
      const gone = await applicationCredentials.deleteChain(tx, id, userId);
      if (gone.length === 0) throw new NotFoundError('application credential', id);
      await this.revocations.revoke(tx, ...gone);
    });
  }

  /** By default, all roles of the token; the caller must still have each. */
  async #roleIds(
    ctx: RequestContext,
    projectId: ProjectId,
    wanted: readonly RoleRefDto[],
  ): Promise<RoleId[]> {
    const available = await ownRoles(ctx, projectId);
    const refs = wanted.length === 0 ? ctx.roles.map((name) => ({ name })) : wanted;
    const chosen = chosenRoles(available, refs, (role) => new UnassignedRoleError(role));
    return chosen.map(({ id }) => id);
  }
}
