/**
 * From a caller's identity and requested scope to what its token allows.
 *
 * Always holds: no token exceeds its proof. A credential gives its own project, a trust what its
 * trustor still has of it, and a system token no project.
 */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError, UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import type { LoginCredential } from '../application-credentials/application-credential.repository.js';
import { trusts } from '../trusts/trust.repository.js';
import { UserRepository, type Account } from '../users/user.repository.js';
import type { Identified } from './auth-request.js';
import { ScopeRepository, type Scope, type ScopeRequest } from './scope.repository.js';
import type { TokenDelegation } from './token.js';
import { CredentialScopeError, RescopingForbiddenError } from './token.errors.js';

export interface TokenGrant {
  /** The user as whom the token acts. */
  readonly account: Account;
  readonly scope: Scope;
  readonly delegation?: TokenDelegation;
  /** The token must not outlive this. */
  readonly notAfter?: Date | null;
}

@Injectable()
export class TokenGrants {
  constructor(
    private readonly scopes: ScopeRepository,
    private readonly users: UserRepository,
  ) {}

  /**
   * @throws UnauthenticatedError for a scope on which the user has no role
   * @throws ForbiddenError for a scope that its proof must not be used for
   */
  async grant(
    ctx: RequestContext,
    identified: Identified,
    asked: ScopeRequest,
  ): Promise<TokenGrant> {
    const { account, credential, parent } = identified;
    if (credential) return this.#ofCredential(ctx, account, credential, identified, asked);
    if (asked.kind === 'trust') return this.#ofTrust(ctx, account, asked.trustId);
    if (parent?.scope === 'system' && (asked.kind === 'project' || asked.kind === 'domain')) {
      throw new RescopingForbiddenError(
        'Using a system-scoped token to create a project-scoped or domain-scoped token is not allowed',
      );
    }
    const scope = await this.#scope(ctx, account, asked);
    if (!scope) throw new UnauthenticatedError();
    return { account, scope };
  }

  async #scope(
    ctx: RequestContext,
    { id: userId, defaultProjectId }: Account,
    asked: Exclude<ScopeRequest, { kind: 'trust' }>,
  ): Promise<Scope | undefined> {
    switch (asked.kind) {
      case 'unscoped':
        return { kind: 'unscoped' };
      case 'project':
        return this.scopes.project(ctx, userId, asked.project);
      case 'domain':
        return this.scopes.domain(ctx, userId, asked.domain);
      case 'system':
        return this.scopes.system(ctx, userId);
      case 'default': {
        if (defaultProjectId === null) return { kind: 'unscoped' };
        // A default project that has become unusable must not lock its user out.
        const scope = await this.scopes.project(ctx, userId, { id: defaultProjectId });
        return scope ?? { kind: 'unscoped' };
      }
    }
  }

  async #ofCredential(
    ctx: RequestContext,
    account: Account,
    credential: LoginCredential,
    { parent }: Identified,
    asked: ScopeRequest,
  ): Promise<TokenGrant> {
    if (asked.kind !== 'default') {
      if (!parent) throw new CredentialScopeError();
      throw new RescopingForbiddenError(
        'Using an application credential token to create a scoped token is not allowed',
      );
    }
    const { id, name, projectId, unrestricted, hasRules, accessRules, expiresAt } = credential;
    const roles = credential.roles.map((role) => role.id);
    const scope = await this.scopes.project(ctx, account.id, { id: projectId }, roles);
    if (!scope) throw new UnauthenticatedError();
    return {
      account,
      scope,
      delegation: {
        kind: 'application-credential',
        id,
        name,
        unrestricted,
        accessRules: hasRules ? accessRules : undefined,
      },
      notAfter: expiresAt,
    };
  }

  async #ofTrust(ctx: RequestContext, trustee: Account, trustId: string): Promise<TokenGrant> {
    const trust = await trusts.findUsable(ctx, trustId);
    if (!trust?.isChainEnabled) throw new UnauthenticatedError();
    if (trust.trusteeUserId !== trustee.id) throw new ForbiddenError('User is not a trustee.');
    const trustor = await this.users.findAccount(ctx, { id: trust.trustorUserId });
    if (!trustor || trust.projectId === null) throw new UnauthenticatedError();
    const roles = trust.roles.map(({ id }) => id);
    const project = { id: trust.projectId };
    const scope = await this.scopes.project(ctx, trust.grantorId, project, roles);
    if (!scope) throw new ForbiddenError('Trustee has no delegated roles.');
    if (!(await trusts.consume(ctx, trust.id))) throw new UnauthenticatedError();
    const { id, impersonation, expiresAt, intermediaryIds } = trust;
    return {
      account: impersonation ? trustor : trustee,
      scope,
      delegation: {
        kind: 'trust',
        id,
        trustorId: trustor.id,
        trusteeId: trustee.id,
        intermediaryIds,
        impersonation,
      },
      notAfter: expiresAt,
    };
  }
}
