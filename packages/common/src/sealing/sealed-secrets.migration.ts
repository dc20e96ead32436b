import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a service that seals texts in its rows draws for itself. */
export class SealedSecrets1799800000000 implements MigrationInterface {
  readonly name = 'SealedSecrets1799800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sealed_secrets (
        name text CONSTRAINT sealed_secrets_pkey PRIMARY KEY,
        sealed text NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sealed_secrets');
  }
}
