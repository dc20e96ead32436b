import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The orders in which an administrator's lists come, across all domains. */
export class ListIndexes1796100000000 implements MigrationInterface {
  readonly name = 'ListIndexes1796100000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['users', 'projects', 'groups'])
      await runner.query(`CREATE INDEX ${table}_page_idx ON ${table} (name, id)`);
    await runner.query('CREATE INDEX credentials_page_idx ON credentials (created_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX users_page_idx, projects_page_idx, groups_page_idx, credentials_page_idx',
    );
  }
}
