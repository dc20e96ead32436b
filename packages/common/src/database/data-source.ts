import pg from 'pg';
import { DataSource, type EntitySchema, type MixedList } from 'typeorm';
import { readOnly } from './usable-database.js';

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, or the same over a Unix socket. */
  readonly url: string;
  /** Maximum connections of this process. */
  readonly poolSize: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly entities: MixedList<string | EntitySchema | (abstract new () => object)>;
  readonly migrations: readonly (new () => object)[];
}

/** Limit on statements of requests; sessions that hold a lock have none. */
const MAX_STATEMENT_MS = 15_000;

const anyTimestamp = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (
  text: string,
) => unknown;

/** Views show timestamps, and parsing them as text is faster. */
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text: string) =>
  text[10] === ' ' && text.endsWith('+00')
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
    : anyTimestamp(text),
);

/** A data source that never alters the schema; only migrations do. */
export function createDataSource(options: DatabaseOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    // Found by its name at run time otherwise: a second copy, or none, in a bundle.
    driver: pg,
    url: options.url,
    entities: options.entities as never,
    migrations: [...options.migrations] as never,
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    // Sizes are bigint columns below 2^53, which TypeORM otherwise returns as strings.
    parseInt8: true,
    applicationName: options.applicationName,
    extra: {
      ...CONNECTIONS,
      max: options.poolSize,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: 20_000,
      statement_timeout: MAX_STATEMENT_MS,
    },
  });
}

/** The URL that a data source was created with. */
export function databaseUrlOf(dataSource: DataSource): string {
  return (dataSource.options as { readonly url?: string }).url ?? '';
}

/**
 * Connecting during start-up. The process computes for seconds meanwhile, so a connection timer may
 * fire before the process has noticed Postgres' answer.
 */

/** Messages of pg and its pool for a connection timeout. */
const TOO_LATE = /^(Connection terminated due to connection timeout|timeout exceeded when trying)/;
const TRIES = 5;

/** Retries after a connection timeout; other failures are thrown at once. */
export async function despiteLateConnections(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      const isLate = error instanceof Error && TOO_LATE.test(error.message);
      if (!isLate || tries === TRIES) throw error;
    }
  }
}

const ADMISSION = {
  text: "SELECT current_setting('transaction_read_only') AS mode",
  // The pool's own limit on connecting is over by then.
  query_timeout: 10_000,
};

/**
 * Admits a new connection to a pool. One that is read-only by its user's or its database's default
 * stays so after the default was changed back, and so must not enter.
 * @throws UnfitDatabaseError for one that is read-only
 */
async function admit(connection: pg.ClientBase): Promise<void> {
  steady(connection);
  const { rows } = await connection.query<{ mode: string }>(ADMISSION);
  if (rows[0]?.mode === 'on') throw readOnly();
}

/** What the pools of a process have in common. */
export const CONNECTIONS = {
  onConnect: admit,
  // A machine that is gone may not have said so: idle connections to it are tried.
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
};

/**
 * Keeps a lost connection from crashing the process. Postgres may close one between its use by the
 * pool and by its next user, when nobody listens for its error event. The next statement on the
 * connection fails instead.
 */
function steady(connection: Pick<pg.ClientBase, 'on'>): void {
  connection.on('error', () => undefined);
}
