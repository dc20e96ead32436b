/** Subject tokens of requests, in their current state. */
import { Inject, Injectable } from '@nestjs/common';
import { RevocationIndex } from '@cumulet/common/auth/revocation';
import type { Delegation, TokenClaims } from '@cumulet/common/auth/token-claims';
import { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import { CONFIG } from '@cumulet/common/service/tokens';
import { applicationCredentials } from '../application-credentials/application-credential.repository.js';
import type { IdentityConfig } from '../config.js';
import { revocationEvent, RevocationRepository } from '../revocations/revocation.repository.js';
import { UserRepository } from '../users/user.repository.js';
import { ScopeRepository, type Scope } from './scope.repository.js';
import { TokenNotFoundError } from './token.errors.js';
import type { Token, TokenDelegation } from './token.js';

@Injectable()
export class SubjectTokens {
  constructor(
    @Inject(CONFIG) private readonly config: IdentityConfig,
    private readonly users: UserRepository,
    private readonly scopes: ScopeRepository,
    private readonly revocations: RevocationRepository,
    private readonly verifier: TokenVerifier,
  ) {}

  /**
   * @param allowExpired accepts a token for some time after its expiry, for services that finish
   * what a caller has begun
   * @throws TokenNotFoundError when it is invalid
   */
  async read(
    ctx: RequestContext,
    signed: string | undefined,
    { allowExpired = false } = {},
  ): Promise<TokenClaims> {
    if (signed === undefined || signed === '') throw new TokenNotFoundError();
    try {
      return await (allowExpired ? this.#readExpired(ctx, signed) : this.verifier.verify(signed));
    } catch (error) {
      throw error instanceof UnauthenticatedError ? new TokenNotFoundError(error) : error;
    }
  }

  /**
   * Everything about a valid token, with current names, and with those of its roles that its user
   * still has.
   * @throws TokenNotFoundError when its user or scope is gone or disabled
   */
  async describe(ctx: RequestContext, claims: TokenClaims): Promise<Token> {
    const account = await this.users.findAccount(ctx, { id: claims.userId });
    const scope = await this.#scope(ctx, claims);
    if (!account?.enabled || !scope) throw new TokenNotFoundError();
    return {
      user: { id: account.id, name: account.name },
      userDomain: { id: account.domainId, name: account.domainName },
      passwordExpiresAt: account.passwordExpiresAt,
      scope,
      delegation: claims.delegation && (await this.#delegation(ctx, claims, claims.delegation)),
      methods: claims.methods,
      auditIds: claims.auditIds,
      issuedAt: claims.issuedAt,
      expiresAt: claims.expiresAt,
    };
  }

  /** Only the rows hold the events about expired tokens. */
  async #readExpired(ctx: RequestContext, signed: string): Promise<TokenClaims> {
    const claims = await this.verifier.verifyExpired(signed, this.config.expiredTokenWindow * 1000);
    const events = await this.revocations.listAll(ctx);
    if (new RevocationIndex(events.map(revocationEvent)).isRevoked(claims))
      throw new TokenNotFoundError();
    return claims;
  }

  async #scope(ctx: RequestContext, claims: TokenClaims): Promise<Scope | undefined> {
    const scope = await this.#currentScope(ctx, claims);
    if (!scope || scope.kind === 'unscoped') return scope;
    const roles = scope.roles.filter(({ name }) => claims.roles.includes(name));
    return roles.length === 0 ? undefined : { ...scope, roles };
  }

  #currentScope(ctx: RequestContext, claims: TokenClaims): Promise<Scope | undefined> {
    const { scope, projectId, domainId, delegation, userId } = claims;
    const grantor = delegation?.kind === 'trust' ? delegation.trustorId : userId;
    switch (scope) {
      case 'project':
        return this.scopes.project(ctx, grantor, { id: projectId ?? '' });
      case 'domain':
        return this.scopes.domain(ctx, userId, { id: domainId ?? '' });
      case 'system':
        return this.scopes.system(ctx, userId);
      case 'unscoped':
        return Promise.resolve({ kind: 'unscoped' });
    }
  }

  async #delegation(
    ctx: RequestContext,
    { userId }: TokenClaims,
    delegation: Delegation,
  ): Promise<TokenDelegation> {
    if (delegation.kind === 'trust') {
      const { kind, id, trustorId, trusteeId, intermediaryIds = [] } = delegation;
      return {
        kind,
        id: asId(id),
        trustorId: asId(trustorId),
        trusteeId: asId(trusteeId),
        intermediaryIds: intermediaryIds.map((one) => asId(one)),
        impersonation: userId === trustorId,
      };
    }
    const { kind, unrestricted, accessRules } = delegation;
    const credential = await applicationCredentials.findForLogin(ctx, { id: delegation.id });
    if (!credential) throw new TokenNotFoundError();
    const { id, name } = credential;
    return { kind, id, name, unrestricted, accessRules };
  }
}
