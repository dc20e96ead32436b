/**
 * Migrations, safe to start from many processes at once: all but the first wait on an advisory lock
 * and find nothing left to do.
 */
import { Logger as JobLogger, runMigrations as runJobMigrations } from 'graphile-worker';
import type { DataSource } from 'typeorm';
import { jobPool } from '../jobs/job-pool.js';
import { sessionLock } from './advisory-lock.js';

const MIGRATION_LOCK = 'cumulet:migrate';

/** The default logs to the console and reports the pool's errors, which others handle. */
const SILENT = new JobLogger(() => () => undefined);

export async function migrate(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await sessionLock(runner, MIGRATION_LOCK);
    await runJobMigrations({ pgPool: jobPool(dataSource), logger: SILENT });
    await dataSource.runMigrations();
  } finally {
    // The session holds the lock: release it explicitly, as the connection returns to the pool.
    await runner.query('SELECT pg_advisory_unlock_all()');
    await runner.release();
  }
}
