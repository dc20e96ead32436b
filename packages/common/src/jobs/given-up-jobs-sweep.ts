/**
 * Removes jobs that the library has given up and would keep forever. Rows that still wait have been
 * nudged anew.
 */
import type { Sweep } from './sweep.js';

export function givenUpJobsSweep(): Sweep {
  return {
    name: 'given-up-jobs',
    everyMs: 60_000,
    async run({ manager }) {
      await manager.query(
        `DELETE FROM graphile_worker._private_jobs
          WHERE attempts >= max_attempts AND locked_at IS NULL`,
      );
    },
  };
}
