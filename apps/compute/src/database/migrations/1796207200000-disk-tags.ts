import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tag by which a guest finds its disk, where the client gave it one. */
export class DiskTags1796207200000 implements MigrationInterface {
  readonly name = 'DiskTags1796207200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE servers ADD disk_tag text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE servers DROP disk_tag');
  }
}
