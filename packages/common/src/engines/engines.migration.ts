import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Worker processes. Orchestration creates this table in a migration of its own. */
export class Engines1798300100000 implements MigrationInterface {
  readonly name = 'Engines1798300100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE engines (
        id uuid CONSTRAINT engines_pkey PRIMARY KEY,
        host text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        seen_at timestamptz(3) NOT NULL DEFAULT now())`);
    await runner.query('CREATE INDEX engines_seen_at_idx ON engines (seen_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE engines');
  }
}
