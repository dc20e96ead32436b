import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Guests that powered off while their servers were rescued, or resized and not confirmed. */
export class GuestsOff1796340290000 implements MigrationInterface {
  readonly name = 'GuestsOff1796340290000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE servers ADD guest_off boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE servers DROP guest_off');
  }
}
