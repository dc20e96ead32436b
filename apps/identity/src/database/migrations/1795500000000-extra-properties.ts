import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Clients' additional properties of roles and credentials. */
export class ExtraProperties1795500000000 implements MigrationInterface {
  readonly name = 'ExtraProperties1795500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE roles ADD COLUMN extra jsonb NOT NULL DEFAULT '{}'`);
    await runner.query(`ALTER TABLE credentials ADD COLUMN extra jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE credentials DROP COLUMN extra');
    await runner.query('ALTER TABLE roles DROP COLUMN extra');
  }
}
