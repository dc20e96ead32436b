import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import { LoginAttempts, subjectOf } from '../../users/passwords/login-attempts.js';
import { PasswordHasher } from '../../users/passwords/password-hasher.js';
import { isPasswordExpired } from '../../users/passwords/password-rules.js';
import { users } from '../../users/user.repository.js';
import type { Identified, LoginMethod, ProofOf } from '../auth-request.js';

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
