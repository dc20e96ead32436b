import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What administrators call the segments of networks. */
export class Segments1796900000000 implements MigrationInterface {
  readonly name = 'Segments1796900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE networks ADD COLUMN segment_name text, ADD COLUMN segment_description text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE networks DROP COLUMN segment_name, DROP COLUMN segment_description`);
  }
}
