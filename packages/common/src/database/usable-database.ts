/**
 * What a process asks of its database before it serves, and every few seconds while it does.
 *
 * Always holds: each refusal goes by itself or is mended at Postgres or at this machine's clock, so
 * that a process which waits goes on without a restart.
 */
import type { DataSource, EntityManager } from 'typeorm';
import { compareReleases, RELEASE } from '../config/release.js';
import { UnavailableError } from '../errors/domain-error.js';

/** The process must do nothing with the database, though it answers. */
export class UnfitDatabaseError extends UnavailableError {}

/** Tokens and deadlines are judged by this process's clock, much of the rest by Postgres's. */
const MAX_CLOCK_MS = 30_000;

interface Facts {
  readonly isReadOnly: boolean;
  /** Milliseconds since the epoch. */
  readonly clock: string;
}

const FACTS = `
  SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly",
         extract(epoch FROM clock_timestamp()) * 1000 AS clock`;

/**
 * @throws UnfitDatabaseError, and the errors of a database that does not answer
 */
export async function requireUsable({ manager }: DataSource): Promise<void> {
  const asked = Date.now();
  const [facts]: Facts[] = await manager.query(FACTS);
  const answered = Date.now();
  if (!facts) return;
  if (facts.isReadOnly) throw readOnly();
  requireClock(Number(facts.clock), asked, answered);
  await requireServed(manager);
}

export function readOnly(): UnfitDatabaseError {
  return new UnfitDatabaseError('The database of the service is read-only at present.');
}

/** By both ends, since the answer may have waited for this process. */
function requireClock(database: number, asked: number, answered: number): void {
  const says = (how: string): string =>
    `The clock of this process is more than ${MAX_CLOCK_MS / 1_000} seconds ${how} that of its database.`;
  if (asked - database > MAX_CLOCK_MS) throw new UnfitDatabaseError(says('ahead of'));
  if (database - answered > MAX_CLOCK_MS) throw new UnfitDatabaseError(says('behind'));
}

/** @throws UnfitDatabaseError if the schema has lost what this release reads or writes */
export async function requireServed(manager: EntityManager): Promise<void> {
  if (!(await hasTable(manager, 'served_releases'))) return;
  const [served]: { oldest: string }[] = await manager.query('SELECT oldest FROM served_releases');
  if (!served || compareReleases(RELEASE, served.oldest) >= 0) return;
  throw new UnfitDatabaseError(
    `The schema of the database serves releases from ${served.oldest} on; this process is of ${RELEASE}.`,
  );
}

/**
 * For a process that leaves migrations to another program. Those that it does not know are no
 * concern of it: a newer release has added them.
 * @throws UnfitDatabaseError naming the migrations that lack
 */
export async function requireMigrated({ manager, migrations }: DataSource): Promise<void> {
  const done: { name: string }[] = (await hasTable(manager, 'migrations'))
    ? await manager.query('SELECT name FROM migrations')
    : [];
  const names = new Set(done.map(({ name }) => name));
  const lacking = migrations
    .map(({ name, constructor }) => name ?? constructor.name)
    .filter((name) => !names.has(name));
  if (lacking.length === 0) return;
  const [first, ...others] = lacking;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  throw new UnfitDatabaseError(
    `The schema of the database is older than release ${RELEASE}: it lacks the migration ${first}${more}.`,
  );
}

async function hasTable(manager: EntityManager, name: string): Promise<boolean> {
  const [row]: { exists: boolean }[] = await manager.query(
    'SELECT to_regclass($1) IS NOT NULL AS exists',
    [name],
  );
  return row?.exists === true;
}

/** More than one page of a table, so that Postgres asks the disk for room. */
const SOME_KIB = 64;

/** A full disk is known by a write only, here of a table that is gone with the transaction. */
export async function requireRoom(dataSource: DataSource): Promise<void> {
  await dataSource.transaction((tx) =>
    tx.query(
      `CREATE TEMP TABLE cumulet_room ON COMMIT DROP AS
         SELECT repeat('x', 1000) FROM generate_series(1, ${SOME_KIB})`,
    ),
  );
}
