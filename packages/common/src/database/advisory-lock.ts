import type { DataSource, EntityManager, QueryRunner } from 'typeorm';

/** Waits for a session lock, and runs `work` while it is held. */
export function withSessionLock<T>(
  dataSource: DataSource,
  name: string,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return inSession(dataSource, async (session) => {
    await session.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    return work(session.manager);
  });
}

/** The same if the lock is free; otherwise does nothing. */
export function withFreeSessionLock(
  dataSource: DataSource,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  return inSession(dataSource, async (session) => {
    const rows = (await session.query(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken',
      [name],
    )) as { taken: boolean }[];
    if (rows[0]?.taken === true) await work();
  });
}

async function inSession<T>(
  dataSource: DataSource,
  work: (session: QueryRunner) => Promise<T>,
): Promise<T> {
  const session = dataSource.createQueryRunner();
  try {
    await session.query('SET statement_timeout = 0');
    return await work(session);
  } finally {
    // A lost session has lost its locks too.
    await session
      .query('SELECT pg_advisory_unlock_all(); RESET statement_timeout')
      .catch(() => undefined);
    await session.release();
  }
}

/** Waits for a lock that the open transaction holds until its end. */
export async function transactionLock(manager: EntityManager, name: string): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}

/** The same for several, in order: transactions that sort them alike cannot deadlock. */
export async function transactionLocks(
  manager: EntityManager,
  names: readonly string[],
): Promise<void> {
  await manager.query(
    'SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest($1::text[]) AS name',
    [names],
  );
}

/** Takes the lock until the transaction's end if nobody holds it. */
export async function tryTransactionLock(manager: EntityManager, name: string): Promise<boolean> {
  const rows: { taken: boolean }[] = await manager.query(
    'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS taken',
    [name],
  );
  return rows[0]?.taken === true;
}
