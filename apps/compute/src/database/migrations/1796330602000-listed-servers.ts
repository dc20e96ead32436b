import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lists of servers by status, name and request cost the same however many servers there are. Parts
 * of names are found by trigrams, where Postgres has them; else all names are read.
 */
export class ListedServers1796330602000 implements MigrationInterface {
  readonly name = 'ListedServers1796330602000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX servers_project_state_idx ON servers (project_id, state, created_at, id)',
    );
    await runner.query('CREATE INDEX servers_state_idx ON servers (state, created_at, id)');
    await runner.query('CREATE INDEX servers_project_name_idx ON servers (project_id, name, id)');
    await runner.query('CREATE INDEX servers_name_idx ON servers (name, id)');
    await runner.query('CREATE INDEX servers_reservation_idx ON servers (reservation_id)');
    await runner.query(`
      DO $$ BEGIN
        CREATE EXTENSION IF NOT EXISTS pg_trgm;
      EXCEPTION WHEN undefined_file OR feature_not_supported OR insufficient_privilege THEN
        RAISE NOTICE 'without pg_trgm, a part of a name is looked for in all names';
      END $$`);
    const trigrams = (await runner.query(
      `SELECT FROM pg_opclass WHERE opcname = 'gin_trgm_ops'`,
    )) as unknown[];
    if (trigrams.length > 0)
      await runner.query(
        'CREATE INDEX servers_name_trigrams_idx ON servers USING gin (name gin_trgm_ops)',
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX IF EXISTS servers_name_trigrams_idx, servers_reservation_idx, servers_name_idx,
        servers_project_name_idx, servers_state_idx, servers_project_state_idx`);
  }
}
