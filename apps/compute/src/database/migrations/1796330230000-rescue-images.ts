import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Images that rescued servers boot in place of their disks. */
export class RescueImages1796330230000 implements MigrationInterface {
  readonly name = 'RescueImages1796330230000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE servers ADD rescue_image jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE servers DROP rescue_image');
  }
}
