import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Guests left on hosts that were down when their servers moved. */
export class LeftoverGuests1796330402000 implements MigrationInterface {
  readonly name = 'LeftoverGuests1796330402000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE leftover_guests (
        host text NOT NULL,
        server_id uuid NOT NULL,
        CONSTRAINT leftover_guests_pkey PRIMARY KEY (host, server_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE leftover_guests');
  }
}
