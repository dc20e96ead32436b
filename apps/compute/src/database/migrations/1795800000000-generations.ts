import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the transitions of each row, so that old work never completes a newer request. */
export class Generations1795800000000 implements MigrationInterface {
  readonly name = 'Generations1795800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE servers ADD generation integer NOT NULL DEFAULT 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE servers DROP generation');
  }
}
