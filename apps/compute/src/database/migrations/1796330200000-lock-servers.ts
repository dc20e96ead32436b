import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Servers that their project's members may not change. */
export class LockServers1796330200000 implements MigrationInterface {
  readonly name = 'LockServers1796330200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE servers
        ADD locked_by text CONSTRAINT servers_locked_by_check CHECK (locked_by IN ('owner', 'admin')),
        ADD locked_reason text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE servers DROP locked_by, DROP locked_reason');
  }
}
