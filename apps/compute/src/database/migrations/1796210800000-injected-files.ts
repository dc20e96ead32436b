import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files that servers were created with, for their config drives. */
export class InjectedFiles1796210800000 implements MigrationInterface {
  readonly name = 'InjectedFiles1796210800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE servers ADD injected_files jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE servers DROP injected_files');
  }
}
