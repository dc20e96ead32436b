import { Column, Entity, PrimaryColumn, type QueryRunner } from 'typeorm';

/** The one row with which this database claims its store; see `store-claims.ts`. */
@Entity('store_claim')
export class StoreClaim {
  /** The mark that the store bears. */
  @PrimaryColumn('uuid', {
    name: 'database_id',
    primaryKeyConstraintName: 'store_claim_pkey',
  })
  databaseId: string;

  /** The description of the store that bears it; null if none does yet. */
  @Column('text', { nullable: true })
  store: string | null;
}

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
