import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { TokenClaims } from '@cumulet/common/auth/token-claims';
import { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import type { IdentityConfig } from '../config.js';
import { IDENTITY_CONFIG } from '../injection-tokens.js';
import { Keyring } from '../signing-keys/keyring.js';
import type { Account } from '../users/user.repository.js';
import { UserRepository } from '../users/user.repository.js';
import { Authenticator, type Identified } from './authenticator.js';
import type { AuthRequest } from './auth-request.js';
import { ScopeRepository } from './scope.repository.js';
import type { Scope, ScopeRequest } from './scope.js';
import { TokenNotFoundError } from './token.errors.js';
import { claimsOf, type Token } from './token.js';

export interface IssuedToken {
  readonly token: Token;
  /** What the client sends from now on. */
  readonly signed: string;
}

@Injectable()
export class TokensService {
  constructor(
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
    private readonly authenticator: Authenticator,
    private readonly users: UserRepository,
    private readonly scopes: ScopeRepository,
    private readonly keyring: Keyring,
    private readonly verifier: TokenVerifier,
  ) {}

  /** @throws UnauthenticatedError for a bad proof, and for a scope that the user has no role on */
  async issue(ctx: RequestContext, { proofs, scope }: AuthRequest): Promise<IssuedToken> {
    const identified = await this.authenticator.identify(ctx, proofs);
    const granted = await this.#grant(ctx, identified.account, scope);
    if (!granted) throw new UnauthenticatedError();
    const token = this.#compose(identified, granted);
    return { token, signed: await this.keyring.sign(claimsOf(token)) };
  }

  /**
   * Reads a token that some caller shows as the subject of its request.
   * @throws TokenNotFoundError when it is not valid
   */
  async subject(signed: string | undefined): Promise<TokenClaims> {
    if (signed === undefined || signed === '') throw new TokenNotFoundError();
    try {
      return await this.verifier.verify(signed);
    } catch (error) {
      if (error instanceof UnauthenticatedError) throw new TokenNotFoundError(error);
      throw error;
    }
  }

  /**
   * Everything about a valid token, with names and roles as they are now.
   * @throws TokenNotFoundError when its user or scope is gone or disabled
   */
  async describe(ctx: RequestContext, claims: TokenClaims): Promise<Token> {
    const account = await this.users.findAccount(ctx, { id: claims.userId });
    if (!account?.enabled) throw new TokenNotFoundError();
    const scope = await this.#grant(ctx, account, scopeOf(claims));
    if (!scope) throw new TokenNotFoundError();
    return { ...nameOf(account), ...claims, scope };
  }

  async #grant(
    ctx: RequestContext,
    { id: userId, defaultProjectId }: Account,
    asked: ScopeRequest,
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
        // A default that has become unusable is no reason to turn its user away.
        const scope = await this.scopes.project(ctx, userId, { id: defaultProjectId });
        return scope ?? { kind: 'unscoped' };
      }
    }
  }

  #compose({ account, methods, parent }: Identified, scope: Scope): Token {
    const now = Date.now();
    const auditId = randomBytes(16).toString('base64url');
    const chainId = parent?.auditIds.at(-1);
    return {
      ...nameOf(account),
      scope,
      methods,
      auditIds: chainId === undefined ? [auditId] : [auditId, chainId],
      issuedAt: now,
      // A token made from another never outlives it.
      expiresAt: parent?.expiresAt ?? wholeSeconds(now) + this.config.tokenLifetime * 1000,
    };
  }
}

function nameOf(account: Account): Pick<Token, 'user' | 'userDomain'> {
  return {
    user: { id: account.id, name: account.name },
    userDomain: { id: account.domainId, name: account.domainName },
  };
}

function scopeOf({ scope, projectId, domainId }: TokenClaims): ScopeRequest {
  switch (scope) {
    case 'project':
      return { kind: 'project', project: { id: asId(projectId ?? '') } };
    case 'domain':
      return { kind: 'domain', domain: { id: asId(domainId ?? '') } };
    case 'system':
    case 'unscoped':
      return { kind: scope };
  }
}

/** Clients read an expiry in whole seconds, and so does the signed form. */
function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000) * 1000;
}
