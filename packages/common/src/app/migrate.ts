/**
 * Migrations, safe to start from many processes at once: all but the first wait on an advisory lock
 * and find nothing left to do. They run in the session of the lock, where statements may take as
 * long as they need.
 */
import { Logger as JobLogger, runMigrations as runJobMigrations } from 'graphile-worker';
import { MigrationExecutor, type DataSource } from 'typeorm';
import { jobPool } from '../jobs/job-pool.js';
import { withSessionLock } from '../database/advisory-lock.js';

const MIGRATION_LOCK = 'cumulet:migrate';

/** The default logs to the console and reports the pool's errors, which others handle. */
const SILENT = new JobLogger(() => () => undefined);

export async function migrate(dataSource: DataSource): Promise<void> {
  await withSessionLock(dataSource, MIGRATION_LOCK, async ({ queryRunner }) => {
    await runJobMigrations({ pgPool: jobPool(dataSource), logger: SILENT });
    const executor = new MigrationExecutor(dataSource, queryRunner);
    executor.transaction = 'each';
    await executor.executePendingMigrations();
  });
}
