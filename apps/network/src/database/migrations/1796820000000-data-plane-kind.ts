import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What carries the cloud's packets. */
export class DataPlaneKind1796820000000 implements MigrationInterface {
  readonly name = 'DataPlaneKind1796820000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE data_plane_kind (
        id smallint PRIMARY KEY DEFAULT 1,
        vif jsonb NOT NULL,
        CONSTRAINT data_plane_kind_one_check CHECK (id = 1))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE data_plane_kind');
  }
}
