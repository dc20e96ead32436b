import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The image that is being made of a server, or that a shelved server is stored as. */
export class Snapshots1796330302000 implements MigrationInterface {
  readonly name = 'Snapshots1796330302000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE servers ADD snapshot jsonb');
    await runner.query(
      'CREATE INDEX servers_snapshot_idx ON servers (id) WHERE snapshot IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE servers DROP snapshot');
  }
}
