/** Subject tokens of requests, in their current state. */
import { Inject, Injectable } from '@nestjs/common';
import { RevocationIndex } from '@cumulet/common/auth/revocation';
import type { TokenClaims } from '@cumulet/common/context/token-claims';
import { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SnapshotCache } from './snapshot-cache.js';
import { DomainError, UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import { CONFIG } from '@cumulet/common/service/tokens';
import { applicationCredentials } from '../application-credentials/application-credential.repository.js';
import type { IdentityConfig } from '../config.js';
import { revocationEvent, revocationEvents } from '../revocations/revocation.repository.js';
import { users } from '../users/user.repository.js';
import { scopes, type Scope } from '../roles/scope.repository.js';
import { tokenBody } from './token-body.js';
import type { TokenQuery } from './token.dto.js';
import type { Token, TokenDelegation } from './token.js';
import type { TokenBody } from './token.view.js';

/** A subject token that is absent, malformed, expired or revoked; the error never says which. */
class TokenNotFoundError extends DomainError {
  constructor(cause?: unknown) {
    super('not-found', 'Could not find token: X-Subject-Token names none that is valid.', {
      cause,
    });
  }
}

/** How many answers are kept, of some kilobytes each. */
const MAX_DESCRIBED = 1_000;

@Injectable()
export class SubjectTokens {
  readonly #described = new SnapshotCache<TokenBody>(MAX_DESCRIBED);

  constructor(
    @Inject(CONFIG) private readonly config: IdentityConfig,
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
   * still has. Services ask about the same tokens again and again, and the rows seldom change.
   * @throws TokenNotFoundError when its user or scope is gone or disabled
   */
  describe(ctx: RequestContext, claims: TokenClaims, query: TokenQuery): Promise<TokenBody> {
    const key = [claims.auditIds[0], query.nocatalog === undefined, ctx.baseUrl].join(' ');
    return this.#described.read(ctx, key, async () =>
      tokenBody(ctx, await this.#token(ctx, claims), query),
    );
  }

  async #token(ctx: RequestContext, claims: TokenClaims): Promise<Token> {
    const { userId, methods, auditIds, issuedAt, expiresAt } = claims;
    const user = await users.findAccount(ctx, { id: userId });
    const scope = await this.#scope(ctx, claims);
    if (!user?.enabled || !scope) throw new TokenNotFoundError();
    const delegation = await this.#delegation(ctx, claims);
    return { user, scope, delegation, methods, auditIds, issuedAt, expiresAt };
  }

  /** Only the rows hold the events about expired tokens. */
  async #readExpired(ctx: RequestContext, signed: string): Promise<TokenClaims> {
    const claims = await this.verifier.verifyExpired(signed, this.config.expiredTokenWindow * 1000);
    const events = await revocationEvents.listAll(ctx);
    if (new RevocationIndex(events.map(revocationEvent)).isRevoked(claims))
      throw new TokenNotFoundError();
    return claims;
  }

  async #scope(ctx: RequestContext, claims: TokenClaims): Promise<Scope | undefined> {
    const { scope: kind, projectId = '', domainId = '', delegation, userId } = claims;
    // A trust gives a project alone.
    const grantor = delegation?.kind === 'trust' ? delegation.trustorId : userId;
    const scope =
      kind === 'project'
        ? await scopes.project(ctx, grantor, { id: projectId })
        : await scopes.find(ctx, userId, { kind, domain: { id: domainId } });
    if (!scope || scope.kind === 'unscoped') return scope;
    const roles = scope.roles.filter(({ name }) => claims.roles.includes(name));
    return roles.length === 0 ? undefined : { ...scope, roles };
  }

  async #delegation(
    ctx: RequestContext,
    { userId, delegation }: TokenClaims,
  ): Promise<TokenDelegation | undefined> {
    if (delegation === undefined) return undefined;
    if (delegation.kind === 'trust')
      return { ...delegation, impersonation: userId === delegation.trustorId };
    const credential = await applicationCredentials.findForLogin(ctx, { id: delegation.id });
    if (!credential) throw new TokenNotFoundError();
    return { ...delegation, name: credential.name };
  }
}
