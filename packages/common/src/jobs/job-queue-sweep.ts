/**
 * Removes what the job library would keep forever: jobs that it has given up (rows that still wait
 * have been nudged anew), and the queues, one per resource, that have no job left.
 */
import { hasSqlState } from '../database/violations.js';
import type { Sweep } from './sweep.js';

const LOCK_NOT_AVAILABLE = '55P03';

export function jobQueueSweep(): Sweep {
  return {
    name: 'job-queues',
    everyMs: 60_000,
    async run(ctx) {
      try {
        await ctx.manager.transaction(async (tx) => {
          // A nudge that found its queue must insert its job before the queue can count as empty.
          await tx.query("SET LOCAL lock_timeout = '200ms'");
          await tx.query(
            'LOCK TABLE graphile_worker._private_job_queues IN SHARE ROW EXCLUSIVE MODE',
          );
          await tx.query(
            `DELETE FROM graphile_worker._private_jobs
              WHERE attempts >= max_attempts AND locked_at IS NULL`,
          );
          await tx.query(
            `DELETE FROM graphile_worker._private_job_queues AS queue
              WHERE locked_at IS NULL AND NOT EXISTS (
                SELECT FROM graphile_worker._private_jobs AS job WHERE job.job_queue_id = queue.id)`,
          );
        });
      } catch (error) {
        // Nudges kept coming in: leave it to the next run.
        if (!hasSqlState(error, LOCK_NOT_AVAILABLE)) throw error;
      }
    },
  };
}
