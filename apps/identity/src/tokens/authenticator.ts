/**
 * Finds out who a caller is.
 *
 * Always holds: whatever is wrong with a proof, the caller hears the same 401 after the same work.
 */
import { Injectable } from '@nestjs/common';
import type { TokenClaims } from '@cumulet/common/auth/token-claims';
import { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { UserRepository, type Account } from '../users/user.repository.js';
import type { Proof } from './auth-request.js';

export interface Identified {
  readonly account: Account;
  readonly methods: readonly string[];
  /** The token that was shown: the new one expires with it and joins its audit chain. */
  readonly parent: TokenClaims | undefined;
}

@Injectable()
export class Authenticator {
  constructor(
    private readonly users: UserRepository,
    private readonly passwords: PasswordHasher,
    private readonly verifier: TokenVerifier,
  ) {}

  /** @throws UnauthenticatedError unless every proof is good, and of the same enabled user */
  async identify(ctx: RequestContext, proofs: readonly Proof[]): Promise<Identified> {
    const results: Identified[] = [];
    for (const proof of proofs) results.push(await this.#check(ctx, proof));
    const [first] = results;
    if (!first || results.some(({ account }) => account.id !== first.account.id))
      throw new UnauthenticatedError();
    return {
      account: first.account,
      methods: [...new Set(results.flatMap(({ methods }) => methods))],
      parent: results.find(({ parent }) => parent !== undefined)?.parent,
    };
  }

  #check(ctx: RequestContext, proof: Proof): Promise<Identified> {
    return proof.method === 'password' ? this.#password(ctx, proof) : this.#token(ctx, proof.token);
  }

  async #password(
    ctx: RequestContext,
    { user, password }: Extract<Proof, { method: 'password' }>,
  ): Promise<Identified> {
    const account = await this.users.findAccount(ctx, user);
    const matches = await this.passwords.verify(account?.passwordHash, password);
    if (!matches || !account?.enabled) throw new UnauthenticatedError();
    return { account, methods: ['password'], parent: undefined };
  }

  async #token(ctx: RequestContext, token: string): Promise<Identified> {
    const parent = await this.verifier.verify(token);
    const account = await this.users.findAccount(ctx, { id: parent.userId });
    if (!account?.enabled) throw new UnauthenticatedError();
    return { account, methods: ['token', ...parent.methods], parent };
  }
}
