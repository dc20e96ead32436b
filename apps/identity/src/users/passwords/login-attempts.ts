/**
 * Locks out clients that guess passwords. Public source: Keystone administrator guide, "Security
 * compliance and PCI-DSS", "Setting an account lockout threshold".
 *
 * Always holds: an attempt as an unknown user runs the same statement and is counted in the same way,
 * so that neither the time nor the answer tells who exists. An attempt is judged by the failures that
 * are counted once its password is verified: concurrent guesses cannot get in after a lock-out.
 */
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { CONFIG } from '@cumulet/common/service/tokens';
import { SweepEvery } from '@cumulet/common/service/background';
import type { IdentityConfig } from '../../config.js';
import type { OwnedRef } from '../../database/owned-ref.js';
import type { Account } from '../user.repository.js';

/** Failed logins in a row. Unknown users have rows too: the counts must not tell who exists. */
@Entity('login_failures')
export class LoginFailure {
  /** The user's id, or a digest of an unknown name; then the address of the attempts. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'login_failures_pkey' })
  subject: string;

  @Column('integer')
  failures: number;

  @Column('timestamptz', { name: 'last_failed_at' })
  @Index('login_failures_last_failed_at_idx')
  lastFailedAt: Date;
}

export interface LoginSubject {
  readonly key: string;
  /** Failures are counted, but never lock. */
  readonly isExempt: boolean;
}

/**
 * Failures count per user and address, so that nobody can lock a user out from elsewhere.
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

/** SQL condition: `$2` failures, the last within `$3` seconds. */
const LOCKED = `login_failures.failures >= $2
                AND login_failures.last_failed_at > now() - $3 * interval '1 second'`;

@Injectable()
export class LoginAttempts {
  /** The failures in a row that lock a subject, and the seconds of the lock after the last. */
  readonly #lockout: readonly [failures: number, seconds: number];

  constructor(@Inject(CONFIG) config: Pick<IdentityConfig, 'lockoutFailures' | 'lockoutSeconds'>) {
    this.#lockout = [config.lockoutFailures, config.lockoutSeconds];
  }

  /**
   * Counts an attempt whose password has been verified. Must not be called within a transaction, which
   * the refusal that follows would roll back.
   * @param isGood whether the password matches and the user is enabled
   * @returns whether to admit the caller: never while the subject is locked
   */
  async admit(ctx: RequestContext, subject: LoginSubject, isGood: boolean): Promise<boolean> {
    if (ctx.manager.queryRunner?.isTransactionActive)
      throw new Error('an attempt must be counted outside of a transaction');
    if (this.#lockout[0] === 0) return isGood;
    if (isGood) return !(await this.#clear(ctx, subject.key)) || subject.isExempt;
    await this.#add(ctx, subject.key);
    return false;
  }

  /** From any address. */
  async forget(ctx: RequestContext, userId: string): Promise<void> {
    await ctx.manager.query(`DELETE FROM login_failures WHERE split_part(subject, ' ', 1) = $1`, [
      userId,
    ]);
  }

  @SweepEvery(60_000, 'past login failures')
  async forgetPast(ctx: RequestContext): Promise<void> {
    const [, seconds] = this.#lockout;
    await ctx.manager.query(
      `DELETE FROM login_failures WHERE last_failed_at <= now() - $1 * interval '1 second'`,
      [seconds],
    );
  }

  /**
   * The count restarts if the last failure is older than a lock lasts. While the subject is locked,
   * nothing is counted, so that attempts do not prolong the lock.
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

/** Stands in for the id of an unknown user: it equals no user's id, and does not show the name. */
function digestOf(ref: OwnedRef): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(ref)).digest('hex')}`;
}
