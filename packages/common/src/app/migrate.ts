/**
 * Brings a database to the schema of this release.
 *
 * Always holds: processes that start together run each migration once; the schema names the oldest
 * release that it serves before a migration takes anything from an older one, and never names an
 * older one again.
 */
import { type DataSource, type EntityManager, MigrationExecutor } from 'typeorm';
import { compareReleases, SERVES } from '../config/release.js';
import { withSessionLock } from '../database/advisory-lock.js';
import { despiteLateConnections } from '../database/data-source.js';
import { requireServed } from '../database/usable-database.js';
import type { Service } from './define-service.js';

const MIGRATION_LOCK = 'cumulet:migrate';

/** For a program that migrates the databases of services whose processes do not. */
export async function migrateService(service: Service, url: string): Promise<void> {
  const dataSource = service.dataSource(url, 2);
  try {
    await despiteLateConnections(async () => {
      if (!dataSource.isInitialized) await dataSource.initialize();
      await migrate(dataSource, service.serves);
    });
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}

/**
 * @param serves the oldest release that the schema serves from now on
 * @throws UnfitDatabaseError if the schema does not serve this release any more
 */
export async function migrate(dataSource: DataSource, serves = SERVES): Promise<void> {
  await withSessionLock(dataSource, MIGRATION_LOCK, async (manager) => {
    await requireServed(manager);
    await nameServed(manager, serves);
    const executor = new MigrationExecutor(dataSource, manager.queryRunner);
    executor.transaction = 'each';
    await executor.executePendingMigrations();
  });
}

async function nameServed(manager: EntityManager, serves: string): Promise<void> {
  await manager.query(`
    CREATE TABLE IF NOT EXISTS served_releases (
      id boolean CONSTRAINT served_releases_pkey PRIMARY KEY DEFAULT true
        CONSTRAINT served_releases_id_check CHECK (id),
      oldest text NOT NULL
    )`);
  const [before]: { oldest: string }[] = await manager.query('SELECT oldest FROM served_releases');
  if (before && compareReleases(before.oldest, serves) >= 0) return;
  await manager.query(
    'INSERT INTO served_releases (oldest) VALUES ($1) ON CONFLICT (id) DO UPDATE SET oldest = $1',
    [serves],
  );
}
