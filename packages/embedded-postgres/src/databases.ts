/** The databases of a cluster. */
import pg from 'pg';

/** Postgres error codes, "Appendix A": another session has just created it. */
const ALREADY_THERE = new Set(['42P04', '23505']);

/**
 * Creates an empty database unless there is one of that name.
 *
 * @param adminUrl the address of a database whose user may create others
 */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  // A connection that breaks also fails the query in progress, which is where it is reported.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 0) await createDatabase(client, name);
  } finally {
    await client.end();
  }
}

/** Names of databases cannot be parameters, so this one is quoted as an identifier. */
async function createDatabase(client: pg.Client, name: string): Promise<void> {
  try {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    if (error instanceof pg.DatabaseError && ALREADY_THERE.has(error.code ?? '')) return;
    throw error;
  }
}
