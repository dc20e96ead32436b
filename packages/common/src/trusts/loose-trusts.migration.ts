import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Trusts that no row refers to, for every service that works through trusts. Orchestration creates
 * this table in its first migration.
 */
export class LooseTrusts1798300000000 implements MigrationInterface {
  readonly name = 'LooseTrusts1798300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE loose_trusts (
        id uuid CONSTRAINT loose_trusts_pkey PRIMARY KEY,
        trust_id text,
        expires_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE INDEX loose_trusts_created_at_idx ON loose_trusts (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE loose_trusts');
  }
}
