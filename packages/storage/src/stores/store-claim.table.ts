import type { QueryRunner } from 'typeorm';

/** Creates the table `store_claim` with its one row, for a migration of a service with a store. */
export async function createStoreClaim(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE store_claim (
      database_id uuid CONSTRAINT store_claim_pkey PRIMARY KEY,
      store text
    )`);
  await runner.query('INSERT INTO store_claim (database_id) VALUES (gen_random_uuid())');
}

export async function dropStoreClaim(runner: QueryRunner): Promise<void> {
  await runner.query('DROP TABLE store_claim');
}
