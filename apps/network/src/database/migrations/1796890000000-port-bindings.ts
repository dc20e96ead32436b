import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Hosts that ports are about to move to. */
export class PortBindings1796890000000 implements MigrationInterface {
  readonly name = 'PortBindings1796890000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE port_bindings (
        port_id uuid NOT NULL
          CONSTRAINT port_bindings_port_fkey REFERENCES ports ON DELETE CASCADE,
        host text NOT NULL,
        vnic_type text NOT NULL,
        profile jsonb NOT NULL,
        CONSTRAINT port_bindings_pkey PRIMARY KEY (port_id, host))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE port_bindings');
  }
}
