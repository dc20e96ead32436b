import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Domains keep what clients give them besides, as users, groups and projects do. */
export class ExtraOfDomains1799710000000 implements MigrationInterface {
  readonly name = 'ExtraOfDomains1799710000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE domains ADD COLUMN extra jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE domains DROP COLUMN extra');
  }
}
