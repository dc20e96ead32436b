import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index for waiting and running imports, which are queried every second. */
export class ImportTurns1795700000000 implements MigrationInterface {
  readonly name = 'ImportTurns1795700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX images_importing ON images (owner, state_since)
       WHERE state IN ('import_waiting', 'importing')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX images_importing');
    await runner.query(`UPDATE images SET state = 'importing' WHERE state = 'import_waiting'`);
  }
}
