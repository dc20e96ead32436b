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
import { LoginAttempts, subjectOf } from '../users/passwords/login-attempts.js';
import { PasswordHasher } from '../users/passwords/password-hasher.js';
import { isPasswordExpired } from '../users/passwords/password-rules.js';
import { users } from '../users/user.repository.js';
import type { Identified, LoginMethod, ProofOf } from './auth-request.js';
import { RescopingForbiddenError } from './token-grants.js';

/** Public source: Keystone API reference, "Password authentication with scoped authorization". */
@Injectable()
export class PasswordMethod implements LoginMethod<ProofOf<'password'>> {
  constructor(
    private readonly passwords: PasswordHasher,
    private readonly attempts: LoginAttempts,
  ) {}

  async check(ctx: RequestContext, { user, password }: ProofOf<'password'>): Promise<Identified> {
    const account = await users.findAccount(ctx, user);
    const matches = await this.passwords.verify(
      account?.passwordHash,
      password,
      ctx.fields.clientAddress,
    );
    const isGood = matches && account?.enabled === true;
    const isAdmitted = await this.attempts.settle(
      ctx,
      subjectOf(account, user, ctx.fields.clientAddress),
      isGood,
    );
    if (!isAdmitted || !account) throw new UnauthenticatedError();
    // The password is right: only those who know it learn that it has expired.
    if (isPasswordExpired(account))
      throw new DomainError(
        'unauthenticated',
        `The password is expired and needs to be changed for user: ${account.id}.`,
      );
    return {
      account,
      methods: ['password'],
      confirm: (_tx, now) => now.passwordHash === account.passwordHash,
    };
  }
}

/** Public source: Keystone API reference, "Token authentication with scoped authorization". */
@Injectable()
export class TokenMethod implements LoginMethod<ProofOf<'token'>> {
  constructor(private readonly verifier: TokenVerifier) {}

  /** @throws RescopingForbiddenError for the token of a trust or an access key */
  async check(ctx: RequestContext, { token }: ProofOf<'token'>): Promise<Identified> {
    const parent = await this.#verified(token);
    if (parent.delegation?.kind === 'trust') {
      throw new RescopingForbiddenError(
        'Using trust-scoped token to create another token. Create a new trust-scoped token instead',
      );
    }
    if (isByAccessKey(parent)) {
      throw new RescopingForbiddenError(
        'Using the token of an access key, which is good for its project alone, to create another token',
      );
    }
    const account = await users.findAccount(ctx, { id: parent.userId });
    if (!account?.enabled) throw new UnauthenticatedError();
    return {
      account,
      methods: ['token', ...parent.methods],
      parent,
      credential: await this.#credential(ctx, parent),
      confirm: (tx) => this.#stands(tx, parent),
    };
  }

  async #verified(token: string): Promise<TokenClaims> {
    try {
      return await this.verifier.verify(token);
    } catch (error) {
      if (!(error instanceof SpentTokenError)) throw error;
      throw new DomainError(
        'not-found',
        'Could not find token: auth.identity.token.id names none that is valid.',
        { cause: error },
      );
    }
  }

  /** A token's limits also limit the tokens made from it. */
  async #credential(
    ctx: RequestContext,
    { delegation }: TokenClaims,
  ): Promise<LoginCredential | undefined> {
    if (delegation?.kind !== 'application-credential') return undefined;
    const credential = await applicationCredentials.findForLogin(ctx, { id: delegation.id });
    if (!credential) throw new UnauthenticatedError();
    return credential;
  }

  /** Reads the rows: this process may not have read another's revocations yet. */
  async #stands(tx: RequestContext, parent: TokenClaims): Promise<boolean> {
    const revoked = await revocationEvents.indexSince(tx, new Date(parent.issuedAt));
    return !revoked.isRevoked(parent);
  }
}

/** Public source: Keystone API reference, "Authenticating with an Application Credential". */
@Injectable()
export class ApplicationCredentialMethod implements LoginMethod<ProofOf<'application_credential'>> {
  constructor(private readonly passwords: PasswordHasher) {}

  async check(
    ctx: RequestContext,
    { credential: ref, secret }: ProofOf<'application_credential'>,
  ): Promise<Identified> {
    const credential = await applicationCredentials.findForLogin(ctx, ref);
    const matches = await this.passwords.verify(
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
