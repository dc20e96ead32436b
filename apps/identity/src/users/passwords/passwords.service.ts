import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError, UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { OwnedRef } from '../../database/owned-ref.js';
import { RevocationsService } from '../../revocations/revocations.service.js';
import type { PasswordChangeDto } from '../user.resource.js';
import { users, type Account } from '../user.repository.js';
import { LoginAttempts, LoginFailure, subjectOf } from './login-attempts.js';
import { PasswordHasher } from './password-hasher.js';
import {
  checkForm,
  checkOwnChange,
  formersKept,
  lifetimeOf,
  type PasswordRules,
} from './password-rules.js';
import { FormerPassword, PasswordRepository, type PasswordRecord } from './password.repository.js';
import { isServicePassword, type ServicePasswords } from './service-passwords.js';

/** A user whose current password the caller knows. */
type Owner = Account & { readonly passwordHash: string };

/** Public source: Keystone API reference, "Change password for user". */
@Injectable()
export class PasswordsService {
  constructor(
    @Inject(CONFIG) private readonly rules: PasswordRules & ServicePasswords,
    private readonly passwords: PasswordRepository,
    private readonly hasher: PasswordHasher,
    private readonly attempts: LoginAttempts,
    private readonly revocations: RevocationsService,
  ) {}

  /**
   * Revokes all tokens of the user, including any that the caller has.
   * @throws UnauthenticatedError as `authenticate`
   * @throws InvalidInputError for a password that the rules refuse, or do not let the user change
   */
  async change(ctx: RequestContext, userId: string, change: PasswordChangeDto): Promise<void> {
    const { original_password: original, password } = change;
    const owner = await this.authenticate(ctx, { id: userId }, original);
    checkForm(this.rules, password);
    const record = await this.passwords.read(ctx, owner.id, formersKept(this.rules));
    if (!record) throw new UnauthenticatedError();
    checkOwnChange(this.rules, { userId, options: owner.options, ...record });
    await this.#refuseReuse(owner, record, password);
    await this.#replace(ctx, owner, password);
  }

  /**
   * @throws UnauthenticatedError for a user who does not exist, is disabled or locked out, or has
   *   another password: the error does not say which
   */
  async authenticate(ctx: RequestContext, user: OwnedRef, password: string): Promise<Owner> {
    const account = await users.findAccount(ctx, user);
    const matches = await this.hasher.verify(
      account?.passwordHash,
      password,
      ctx.fields.clientAddress,
    );
    const isKnown = matches || (account && this.isOfSettings(account, password));
    const isGood = isKnown === true && account?.enabled === true;
    const isAdmitted = await this.attempts.admit(
      ctx,
      subjectOf(account, user, ctx.fields.clientAddress),
      isGood,
    );
    const hash = account?.passwordHash ?? null;
    if (!isAdmitted || !account || hash === null) throw new UnauthenticatedError();
    return { ...account, passwordHash: hash };
  }

  /** Whether settings let this service user in by the password, whatever its row has. */
  isOfSettings(account: Account, password: string): boolean {
    return isServicePassword(this.rules, account, password);
  }

  async #refuseReuse(owner: Owner, record: PasswordRecord, password: string): Promise<void> {
    const { passwordHistory: history } = this.rules;
    const refused = [owner.passwordHash, ...record.formerHashes].slice(0, history);
    for (const hash of refused)
      if (await this.hasher.verify(hash, password))
        throw new InvalidInputError(
          history === 1
            ? 'The new password must not be the current one.'
            : `The new password must not be one of the last ${history} passwords of the user.`,
        );
  }

  /** Hashes before the transaction begins, since every login waits for the transaction. */
  async #replace(ctx: RequestContext, owner: Owner, password: string): Promise<void> {
    const next = {
      hash: await this.hasher.hash(password),
      isSelfSet: true,
      lifetime: lifetimeOf(this.rules, owner.options, 'user'),
    };
    await this.revocations.change(ctx, async (tx) => {
      const kept = formersKept(this.rules);
      // A password that has been replaced since it was verified counts as wrong.
      if (!(await this.passwords.replace(tx, owner.id, next, kept, owner.passwordHash)))
        throw new UnauthenticatedError();
      await this.revocations.revoke(tx, { userId: owner.id });
    });
  }
}

@Feature({
  providers: [PasswordsService, PasswordRepository, LoginAttempts, PasswordHasher],
  entities: [FormerPassword, LoginFailure],
})
export class PasswordsModule {}
