/**
 * Locks out who guesses passwords. Public source: Keystone administrator guide, "Security compliance
 * and PCI-DSS", "Setting an account lockout threshold".
 *
 * Always holds: an attempt on a user that nobody is costs the same statement, and is counted as one
 * on a user that exists, so neither the time nor the answer tells who exists. An attempt is judged
 * by the failures as they are once its password has been verified: of many guesses at the same time,
 * none is let in after the failures of others have locked the user.
 */
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CONFIG } from '@cumulet/common/service/tokens';
import { SweepEvery } from '@cumulet/common/service/background';
import type { IdentityConfig } from '../config.js';
import type { OwnedRef } from '../database/owned-ref.js';
import type { Account } from '../users/user.repository.js';
import { LoginFailureRepository, type Lockout } from './login-failure.repository.js';

/** Whose attempts are counted together. */
export interface LoginSubject {
  readonly key: string;
  /** Failures are counted, but never lock. */
  readonly isExempt: boolean;
}

/** @param ref how the client named the user */
export function subjectOf(
  account: Pick<Account, 'id' | 'options'> | undefined,
  ref: OwnedRef,
): LoginSubject {
  if (!account) return { key: digestOf(ref), isExempt: false };
  return { key: account.id, isExempt: account.options.ignore_lockout_failure_attempts === true };
}

@Injectable()
export class LoginAttempts {
  readonly #lockout: Lockout;

  constructor(
    @Inject(CONFIG) config: Pick<IdentityConfig, 'lockoutFailures' | 'lockoutSeconds'>,
    private readonly failures: LoginFailureRepository,
  ) {
    this.#lockout = { failures: config.lockoutFailures, seconds: config.lockoutSeconds };
  }

  /** Forgets failures of so long ago that they no longer count. */
  @SweepEvery(60_000, 'past login failures')
  forgetPast(ctx: RequestContext): Promise<void> {
    return this.failures.deletePast(ctx, this.#lockout.seconds);
  }

  /**
   * Counts an attempt, after its password has been verified and before the caller is told. Must not
   * be called within a transaction: the refusal that follows would take the count back.
   * @param isGood whether all is right with it: the password matches, the user is enabled
   * @returns whether the caller is let in: never while the subject is locked
   */
  async settle(ctx: RequestContext, subject: LoginSubject, isGood: boolean): Promise<boolean> {
    if (ctx.manager.queryRunner?.isTransactionActive)
      throw new Error('an attempt is to be counted outside of a transaction');
    if (this.#lockout.failures === 0) return isGood;
    if (!isGood) {
      await this.failures.add(ctx, subject.key, this.#lockout);
      return false;
    }
    const isLocked = await this.failures.clear(ctx, subject.key, this.#lockout);
    return !isLocked || subject.isExempt;
  }
}

/** Never the id of a user, and never the name of one in the open. */
function digestOf(ref: OwnedRef): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(ref)).digest('hex')}`;
}
