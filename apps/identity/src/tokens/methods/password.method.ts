import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import { LoginAttempts, subjectOf } from '../../passwords/login-attempts.js';
import { PasswordHasher } from '../../passwords/password-hasher.js';
import { isPasswordExpired } from '../../passwords/password-rules.js';
import { UserRepository, type Account } from '../../users/user.repository.js';
import type { Identified, LoginMethod, ProofOf } from '../auth-request.js';
import { PasswordExpiredError } from '../token.errors.js';

/** Public source: Keystone API reference, "Password authentication with scoped authorization". */
@Injectable()
export class PasswordMethod implements LoginMethod<ProofOf<'password'>> {
  constructor(
    private readonly users: UserRepository,
    private readonly passwords: PasswordHasher,
    private readonly attempts: LoginAttempts,
  ) {}

  async check(ctx: RequestContext, { user, password }: ProofOf<'password'>): Promise<Identified> {
    const account = await this.users.findAccount(ctx, user);
    const matches = await this.passwords.verify(account?.passwordHash, password);
    const isGood = matches && account?.enabled === true;
    const isAdmitted = await this.attempts.settle(ctx, subjectOf(account, user), isGood);
    if (!isAdmitted || !account) throw new UnauthenticatedError();
    if (isPasswordExpired(account)) throw new PasswordExpiredError(account.id);
    return {
      account,
      methods: ['password'],
      confirm: async (tx) => isUnchanged(account, await this.users.findAccount(tx, account)),
    };
  }
}

function isUnchanged(before: Account, now: Account | undefined): boolean {
  return now?.enabled === true && now.passwordHash === before.passwordHash;
}
