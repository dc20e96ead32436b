import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ephemeral and swap disks of servers. */
export class LocalDisks1796330500001 implements MigrationInterface {
  readonly name = 'LocalDisks1796330500001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE servers ADD local_disks jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE servers DROP local_disks');
  }
}
