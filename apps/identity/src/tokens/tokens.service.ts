import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import { CONFIG } from '@cumulet/common/service/tokens';
import { catalogFor } from '../catalog/catalog.js';
import type { IdentityConfig } from '../config.js';
import { lockForIssue } from '../revocations/revocation.repository.js';
import type { ScopeRequest } from '../roles/scope.repository.js';
import { Keyring } from '../signing-keys/keyring.js';
import { users } from '../users/user.repository.js';
import type { AuthRequest, Identified } from './auth-request.js';
import { Authenticator } from './authenticator.js';
import { type Receipt, Receipts, unmetRules } from './receipts.js';
import { grantOf, type TokenGrant } from './token-grants.js';
import type { TokenQuery } from './token.dto.js';
import { claimsOf, type Token } from './token.js';
import { type TokenBody, tokenView } from './token.view.js';

export interface IssuedToken {
  readonly token: Token;
  readonly signed: string;
}

@Injectable()
export class TokensService {
  constructor(
    @Inject(CONFIG) private readonly config: IdentityConfig,
    private readonly authenticator: Authenticator,
    private readonly keyring: Keyring,
    private readonly receipts: Receipts,
  ) {}

  /**
   * @returns a receipt if the proofs are good, and the user must prove more
   * @throws UnauthenticatedError for a bad proof, and for a scope on which the user has no role
   * @throws ForbiddenError for a scope that the proof must not be used for
   */
  async issue(ctx: RequestContext, request: AuthRequest): Promise<IssuedToken | Receipt> {
    const identified = await this.authenticator.identify(ctx, request);
    const { account, methods } = identified;
    const requiredMethods = unmetRules(account.options, methods);
    if (!requiredMethods) return this.issueTo(ctx, identified, request.scope);
    // A receipt would drop the limits of a token made from another, or from a credential.
    if (identified.parent ?? identified.credential) throw new UnauthenticatedError();
    return this.#locked(ctx, identified, (_, issuedAt) =>
      Promise.resolve(this.receipts.issue(identified, requiredMethods, issuedAt)),
    );
  }

  /**
   * Does not apply the user's rules for several factors.
   * @throws UnauthenticatedError, ForbiddenError as `issue`
   */
  async issueTo(
    ctx: RequestContext,
    identified: Identified,
    scope: ScopeRequest,
  ): Promise<IssuedToken> {
    const token = await this.#locked(ctx, identified, async (tx, issuedAt) =>
      this.#compose(identified, await grantOf(tx, identified, scope), issuedAt),
    );
    return { token, signed: await this.keyring.sign(claimsOf(token)) };
  }

  /**
   * Runs `work` under the lock for issuing tokens, with proofs that still hold: a later revocation
   * revokes the token.
   */
  #locked<T>(
    ctx: RequestContext,
    { account, confirm }: Identified,
    work: (tx: RequestContext, issuedAt: number) => Promise<T>,
  ): Promise<T> {
    return inTransaction(ctx, async (tx) => {
      const issuedAt = await lockForIssue(tx);
      const now = await users.findAccount(tx, { id: account.id });
      if (!now?.enabled || !(await confirm(tx, now))) throw new UnauthenticatedError();
      return work(tx, issuedAt);
    });
  }

  #compose(
    { methods, parent }: Identified,
    { notAfter, ...granted }: TokenGrant,
    issuedAt: number,
  ): Token {
    const auditId = randomBytes(16).toString('base64url');
    const chainId = parent?.auditIds.at(-1);
    // A token made from another never outlives it.
    const latest = parent?.expiresAt ?? issuedAt + this.config.tokenLifetime * 1000;
    return {
      ...granted,
      methods,
      auditIds: chainId === undefined ? [auditId] : [auditId, chainId],
      issuedAt,
      expiresAt: wholeSeconds(Math.min(latest, notAfter?.getTime() ?? latest)),
    };
  }
}

/** Clients, and the signed form, read an expiry in whole seconds. */
function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000) * 1000;
}

export async function tokenBody(
  ctx: RequestContext,
  token: Token,
  { nocatalog }: Pick<TokenQuery, 'nocatalog'> = {},
): Promise<TokenBody> {
  const isWanted = nocatalog === undefined && token.scope.kind !== 'unscoped';
  return { token: tokenView(token, isWanted ? await catalogFor(ctx, claimsOf(token)) : undefined) };
}
