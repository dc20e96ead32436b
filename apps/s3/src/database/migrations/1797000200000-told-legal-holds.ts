import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['objects', 'uploads'];

/** An answer tells that there is no legal hold where a client has said so, and only there. */
export class ToldLegalHolds1797000200000 implements MigrationInterface {
  readonly name = 'ToldLegalHolds1797000200000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(
        `ALTER TABLE ${table} ADD COLUMN legal_hold_told boolean NOT NULL DEFAULT false`,
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(`ALTER TABLE ${table} DROP COLUMN legal_hold_told`);
  }
}
