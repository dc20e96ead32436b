import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The mark of the database's store; the scrub checks damaged images too. */
export class StoreMarks1795600000000 implements MigrationInterface {
  readonly name = 'StoreMarks1795600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE store_claim ADD store text');
    await runner.query('DROP INDEX images_scrub');
    await runner.query(`
      CREATE INDEX images_scrub ON images (scrubbed_at)
       WHERE state IN ('active', 'deactivated', 'killed')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX images_scrub');
    await runner.query(`
      CREATE INDEX images_scrub ON images (scrubbed_at) WHERE state IN ('active', 'deactivated')`);
    await runner.query('ALTER TABLE store_claim DROP store');
  }
}
