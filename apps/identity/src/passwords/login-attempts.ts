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
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { CONFIG } from '@cumulet/common/service/tokens';
import { SweepEvery } from '@cumulet/common/service/background';
import type { IdentityConfig } from '../config.js';
import type { OwnedRef } from '../database/owned-ref.js';
import type { Account } from '../users/user.repository.js';

/**
 * How often a login has failed in a row. There is a row for logins of users that do not exist as
 * well: what is counted must not tell who exists.
 */
@Entity('login_failures')
export class LoginFailure {
  /** The user's id, or a digest of the name that nobody has; then the address it is tried from. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'login_failures_pkey' })
  subject: string;

  @Column('integer')
  failures: number;

  @Column('timestamptz', { name: 'last_failed_at' })
  @Index('login_failures_last_failed_at_idx')
  lastFailedAt: Date;
}

/** Whose attempts are counted together. */
export interface LoginSubject {
  readonly key: string;
  /** Failures are counted, but never lock. */
  readonly isExempt: boolean;
}

/**
 * Failures count by user and address, so that nobody locks a user out from elsewhere.
 * @param ref how the client named the user
 * @param from the address of the attempt
 */
export function subjectOf(
  account: Pick<Account, 'id' | 'options'> | undefined,
  ref: OwnedRef,
  from = '',
): LoginSubject {
  const place = from === '' ? '' : ` ${from}`;
  if (!account) return { key: digestOf(ref) + place, isExempt: false };
  const isExempt = account.options.ignore_lockout_failure_attempts === true;
  return { key: account.id + place, isExempt };
}

/** SQL of whether a row's subject is locked: it has failed `$2` times, the last time within `$3` seconds. */
const LOCKED = `login_failures.failures >= $2
                AND login_failures.last_failed_at > now() - $3 * interval '1 second'`;

@Injectable()
export class LoginAttempts {
  /** How many failures in a row lock a subject, and for how many seconds after the last of them. */
  readonly #lockout: readonly [failures: number, seconds: number];

  constructor(@Inject(CONFIG) config: Pick<IdentityConfig, 'lockoutFailures' | 'lockoutSeconds'>) {
    this.#lockout = [config.lockoutFailures, config.lockoutSeconds];
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
    if (this.#lockout[0] === 0) return isGood;
    if (isGood) return !(await this.#clear(ctx, subject.key)) || subject.isExempt;
    await this.#add(ctx, subject.key);
    return false;
  }

  /** Lets a user in again, from wherever it has failed. */
  async forget(ctx: RequestContext, userId: string): Promise<void> {
    await ctx.manager.query(`DELETE FROM login_failures WHERE split_part(subject, ' ', 1) = $1`, [
      userId,
    ]);
  }

  /** Forgets failures of so long ago that they neither lock nor count any more. */
  @SweepEvery(60_000, 'past login failures')
  async forgetPast(ctx: RequestContext): Promise<void> {
    const [, seconds] = this.#lockout;
    await ctx.manager.query(
      `DELETE FROM login_failures WHERE last_failed_at <= now() - $1 * interval '1 second'`,
      [seconds],
    );
  }

  /**
   * Counts one more. The count begins anew where the last failure is longer ago than a lock lasts;
   * while the subject is locked it stays, so that nobody prolongs the lock by asking.
   */
  async #add(ctx: RequestContext, subject: string): Promise<void> {
    await ctx.manager.query(
      `INSERT INTO login_failures (subject, failures, last_failed_at) VALUES ($1, 1, now())
       ON CONFLICT (subject) DO UPDATE
          SET last_failed_at = now(),
              failures = CASE
                WHEN login_failures.last_failed_at <= now() - $3 * interval '1 second' THEN 1
                ELSE login_failures.failures + 1
              END
        WHERE NOT (${LOCKED})`,
      [subject, ...this.#lockout],
    );
  }

  /**
   * Forgets the failures of a subject, unless they have locked it.
   * @returns whether it is locked
   */
  async #clear(ctx: RequestContext, subject: string): Promise<boolean> {
    const [row] = await preparedRows<{ locked: boolean }>(
      ctx.manager,
      `WITH cleared AS (DELETE FROM login_failures WHERE subject = $1 AND NOT (${LOCKED}))
       SELECT EXISTS (SELECT FROM login_failures WHERE subject = $1 AND ${LOCKED}) AS locked`,
      [subject, ...this.#lockout],
    );
    return row?.locked ?? false;
  }
}

/** Never the id of a user, and never the name of one in the open. */
function digestOf(ref: OwnedRef): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(ref)).digest('hex')}`;
}
