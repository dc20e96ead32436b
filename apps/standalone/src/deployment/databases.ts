/** The databases of a cloud of several processes: a role for each service, and a database of its own. */
import pg from 'pg';

/**
 * Creates the role and the database of a service if they are missing, and gives the role the password
 * that the service uses.
 * @param admin a connection that may create roles
 * @param url the service's own: user, password and name of the database
 */
export async function ensureDatabase(admin: pg.Client, url: string): Promise<void> {
  const { username, password, pathname } = new URL(url);
  const [role, database] = [decodeURIComponent(username), decodeURIComponent(pathname.slice(1))];
  const quoted = admin.escapeIdentifier(role);
  const isNew =
    (await admin.query('SELECT FROM pg_roles WHERE rolname = $1', [role])).rowCount === 0;
  if (isNew) await admin.query(`CREATE ROLE ${quoted} LOGIN`);
  await setPassword(admin, quoted, decodeURIComponent(password));
  const known = await admin.query('SELECT FROM pg_database WHERE datname = $1', [database]);
  if (known.rowCount === 0)
    await admin.query(`CREATE DATABASE ${admin.escapeIdentifier(database)} OWNER ${quoted}`);
}

/** Statements that fail are logged with their text, which must not have the password. */
async function setPassword(admin: pg.Client, quoted: string, password: string): Promise<void> {
  await admin.query('SET log_min_error_statement = panic');
  await admin.query(`ALTER ROLE ${quoted} PASSWORD ${admin.escapeLiteral(password)}`);
  await admin.query('RESET log_min_error_statement');
}

/** @throws Error saying why, if Postgres does not let the administrator in */
export async function connectedAdmin(host: string, password: string): Promise<pg.Client> {
  const [name, port = '5432'] = host.split(':');
  const client = new pg.Client({
    host: name,
    port: Number(port),
    user: 'postgres',
    database: 'postgres',
    password,
    application_name: 'cumulet prepare',
  });
  // A connection that breaks also fails the query in progress, which is where it is reported.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw new Error(reasonOf(error as Error, host), { cause: error });
  });
  return client;
}

/** Public source: Postgres, Appendix A, "Error Codes". */
const WRONG_PASSWORD = '28P01';

function reasonOf({ code, message }: Error & { code?: string }, host: string): string {
  return code === WRONG_PASSWORD
    ? `Postgres at ${host} refuses the password of the secrets: its databases were made with others`
    : `Postgres at ${host} cannot be reached: ${message}`;
}
