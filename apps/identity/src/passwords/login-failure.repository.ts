import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';

/** How many failures in a row lock a subject, and for how many seconds after the last of them. */
export interface Lockout {
  readonly failures: number;
  readonly seconds: number;
}

/** SQL of a row whose subject is locked: `$2` failures, `$3` seconds. */
const LOCKED = `login_failures.failures >= $2
                AND login_failures.last_failed_at > now() - $3 * interval '1 second'`;

@Injectable()
export class LoginFailureRepository {
  /**
   * Counts one more. The count begins anew where the last failure is longer ago than a lock lasts;
   * while the subject is locked it stays, so that nobody prolongs the lock by asking.
   */
  async add(ctx: RequestContext, subject: string, lockout: Lockout): Promise<void> {
    await ctx.manager.query(
      `INSERT INTO login_failures (subject, failures, last_failed_at) VALUES ($1, 1, now())
       ON CONFLICT (subject) DO UPDATE
          SET last_failed_at = now(),
              failures = CASE
                WHEN login_failures.last_failed_at <= now() - $3 * interval '1 second' THEN 1
                ELSE login_failures.failures + 1
              END
        WHERE NOT (${LOCKED})`,
      [subject, lockout.failures, lockout.seconds],
    );
  }

  /**
   * Forgets the failures of a subject, unless they have locked it.
   * @returns whether it is locked
   */
  async clear(ctx: RequestContext, subject: string, lockout: Lockout): Promise<boolean> {
    const [row] = await preparedRows<{ locked: boolean }>(
      ctx.manager,
      `WITH cleared AS (DELETE FROM login_failures WHERE subject = $1 AND NOT (${LOCKED}))
       SELECT EXISTS (SELECT FROM login_failures WHERE subject = $1 AND ${LOCKED}) AS locked`,
      [subject, lockout.failures, lockout.seconds],
    );
    return row?.locked ?? false;
  }

  async forget(ctx: RequestContext, subject: string): Promise<void> {
    await ctx.manager.query('DELETE FROM login_failures WHERE subject = $1', [subject]);
  }

  /** Those that neither lock nor count any more. */
  async deletePast(ctx: RequestContext, seconds: number): Promise<void> {
    await ctx.manager.query(
      `DELETE FROM login_failures WHERE last_failed_at <= now() - $1 * interval '1 second'`,
      [seconds],
    );
  }
}
