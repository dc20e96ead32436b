/**
 * Migrations, safe to start from many processes at once: whoever comes second waits on an advisory
 * lock and finds nothing left to do.
 */
import { Logger as JobLogger, runMigrations as runJobMigrations } from 'graphile-worker';
import type { DataSource } from 'typeorm';
import { jobPool } from '../jobs/job-pool.js';
import { sessionLock } from './advisory-lock.js';

const MIGRATION_LOCK = 'cumulet:migrate';

/** It would write to the console, and goes on hearing the pool's errors, which others handle. */
const SILENT = new JobLogger(() => () => undefined);

export async function migrate(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await sessionLock(runner, MIGRATION_LOCK);
    await runJobMigrations({ pgPool: jobPool(dataSource), logger: SILENT });
    await dataSource.runMigrations();
  } finally {
    // The lock is the session's: let go of it by name, as the connection returns to the pool.
    await runner.query('SELECT pg_advisory_unlock_all()');
    await runner.release();
  }
}
