/**
 * Always holds: whatever is wrong with a password or a secret, the caller gets the same 401 after
 * the same work.
 */
import { Injectable } from '@nestjs/common';
import { SpentTokenError, TokenVerifier } from '@cumulet/common/auth/token-verifier';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { TokenClaims } from '@cumulet/common/context/token-claims';
import { DomainError, UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import {
  applicationCredentials,
  hasExpired,
  type LoginCredential,
} from '../application-credentials/application-credential.repository.js';
import { isByAccessKey } from '../policy/caller.js';
import { revocationEvents } from '../revocations/revocation.repository.js';
import { PasswordHasher } from '../users/passwords/password-hasher.js';
import { isPasswordExpired } from '../users/passwords/password-rules.js';
import { PasswordsService } from '../users/passwords/passwords.service.js';
import { users } from '../users/user.repository.js';
import type { AuthRequest, Identified, Proof, ProofOf } from './auth-request.js';
import { Receipts } from './receipts.js';
import { RescopingForbiddenError } from './token-grants.js';
import { TotpMethod } from './totp.method.js';

@Injectable()
export class Authenticator {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly hasher: PasswordHasher,
    private readonly verifier: TokenVerifier,
    private readonly totp: TotpMethod,
    private readonly receipts: Receipts,
  ) {}

  /**
   * @throws UnauthenticatedError unless every proof is good, and of the same enabled user
   * @throws ReceiptNotFoundError for a receipt that is invalid, or of another user
   */
  async identify(
    ctx: RequestContext,
    { proofs, receipt }: Pick<AuthRequest, 'proofs' | 'receipt'>,
  ): Promise<Identified> {
    const results: Identified[] = [];
    for (const proof of proofs) results.push(await this.#check(ctx, proof));
    const account = results[0]?.account;
    if (account && receipt) results.push(this.receipts.check(account, receipt));
    const [first] = results;
    if (!first || results.some(({ account }) => account.id !== first.account.id))
      throw new UnauthenticatedError();
    return {
      account: first.account,
      methods: [...new Set(results.flatMap(({ methods }) => methods))],
      parent: results.find(({ parent }) => parent !== undefined)?.parent,
      credential: results.find(({ credential }) => credential !== undefined)?.credential,
      confirm: async (tx, now) => {
        for (const { confirm } of results) if (!(await confirm(tx, now))) return false;
        return true;
      },
    };
  }

  /** @throws UnauthenticatedError for a bad proof */
  #check(ctx: RequestContext, proof: Proof): Promise<Identified> {
    switch (proof.method) {
      case 'password':
        return this.#byPassword(ctx, proof);
      case 'token':
        return this.#byToken(ctx, proof);
      case 'totp':
        return this.totp.check(ctx, proof);
      case 'application_credential':
        return this.#byApplicationCredential(ctx, proof);
    }
  }

  /** Public source: Keystone API reference, "Password authentication with scoped authorization". */
  async #byPassword(
    ctx: RequestContext,
    { user, password }: ProofOf<'password'>,
  ): Promise<Identified> {
    const account = await this.passwords.authenticate(ctx, user, password);
    // Only callers who know the password learn that it has expired.
    if (isPasswordExpired(account))
      throw new DomainError(
        'unauthenticated',
        `The password is expired and needs to be changed for user: ${account.id}.`,
      );
    return {
      account,
      methods: ['password'],
      confirm: (_tx, now) =>
        now.passwordHash === account.passwordHash || this.passwords.isOfSettings(now, password),
    };
  }

  /**
   * Public source: Keystone API reference, "Token authentication with scoped authorization".
   * @throws RescopingForbiddenError for the token of a trust or an access key
   */
  async #byToken(ctx: RequestContext, { token }: ProofOf<'token'>): Promise<Identified> {
    const parent = await this.#verified(token);
    if (parent.delegation?.kind === 'trust') {
      throw new RescopingForbiddenError(
        'Using trust-scoped token to create another token. Create a new trust-scoped token instead',
      );
    }
    if (isByAccessKey(parent)) {
      throw new RescopingForbiddenError('Using the token of an access key to create another token');
    }
    const account = await users.findAccount(ctx, { id: parent.userId });
    if (!account?.enabled) throw new UnauthenticatedError();
    return {
      account,
      methods: ['token', ...parent.methods],
      parent,
      credential: await credentialBehind(ctx, parent),
      confirm: (tx) => stillStands(tx, parent),
    };
  }

  async #verified(token: string): Promise<TokenClaims> {
    try {
      return await this.verifier.verify(token);
    } catch (error) {
      if (!(error instanceof SpentTokenError)) throw error;
      throw new DomainError(
        'not-found',
        'Could not find token: auth.identity.token.id is not a valid token.',
        { cause: error },
      );
    }
  }

  /** Public source: Keystone API reference, "Authenticating with an Application Credential". */
  async #byApplicationCredential(
    ctx: RequestContext,
    { credential: ref, secret }: ProofOf<'application_credential'>,
  ): Promise<Identified> {
    const credential = await applicationCredentials.findForLogin(ctx, ref);
    const matches = await this.hasher.verify(
      credential?.secretHash,
      secret,
      ctx.fields.clientAddress,
    );
    if (!matches || !credential || hasExpired(credential)) throw new UnauthenticatedError();
    const account = await users.findAccount(ctx, { id: credential.userId });
    if (!account?.enabled) throw new UnauthenticatedError();
    return {
      account,
      methods: ['application_credential'],
      credential,
      confirm: async (tx) => {
        const now = await applicationCredentials.findForLogin(tx, { id: credential.id });
        return now?.secretHash === credential.secretHash;
      },
    };
  }
}

/** A token's limits also limit the tokens made from it. */
async function credentialBehind(
  ctx: RequestContext,
  { delegation }: TokenClaims,
): Promise<LoginCredential | undefined> {
  if (delegation?.kind !== 'application-credential') return undefined;
  const credential = await applicationCredentials.findForLogin(ctx, { id: delegation.id });
  if (!credential) throw new UnauthenticatedError();
  return credential;
}

/** Reads the rows, since this process may not have read another's revocations yet. */
async function stillStands(tx: RequestContext, parent: TokenClaims): Promise<boolean> {
  const revoked = await revocationEvents.indexSince(tx, new Date(parent.issuedAt));
  return !revoked.isRevoked(parent);
}
