import pg from 'pg';
import type { DataSource } from 'typeorm';
import { CONNECTIONS, databaseUrlOf } from '../database/data-source.js';

const pools = new WeakMap<DataSource, pg.Pool>();

/** The job queue's own connections, so that jobs never starve requests. */
export function jobPool(dataSource: DataSource): pg.Pool {
  const known = pools.get(dataSource);
  if (known) return known;
  const pool = new pg.Pool({
    connectionString: databaseUrlOf(dataSource),
    application_name: 'cumulet jobs',
    max: 5,
    ...CONNECTIONS,
    idleTimeoutMillis: 20_000,
    connectionTimeoutMillis: 10_000,
    // The table of jobs is empty at most times. A plan made then reads all of the table, and
    // Postgres would keep it for when there are thousands; nor does it know of those thousands then
    // that sorting them costs more than reading the first by the index.
    options: '-c plan_cache_mode=force_custom_plan -c enable_sort=off',
  });
  // The next use replaces a connection that Postgres cut; unhandled, the error would end us.
  pool.on('error', () => undefined);
  pools.set(dataSource, pool);
  return pool;
}

export async function closeJobPool(dataSource: DataSource): Promise<void> {
  const pool = pools.get(dataSource);
  pools.delete(dataSource);
  await pool?.end();
}
