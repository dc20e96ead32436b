import type { EntityManager, QueryRunner } from 'typeorm';

/** Waits for a lock that the session holds until it ends or unlocks. */
export async function sessionLock(runner: QueryRunner, name: string): Promise<void> {
  await runner.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
}

/** Waits for a lock that the open transaction holds until its end. */
export async function transactionLock(manager: EntityManager, name: string): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}

/** Takes the lock until the transaction's end if nobody holds it. */
export async function tryTransactionLock(manager: EntityManager, name: string): Promise<boolean> {
  const rows: { taken: boolean }[] = await manager.query(
    'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS taken',
    [name],
  );
  return rows[0]?.taken === true;
}
