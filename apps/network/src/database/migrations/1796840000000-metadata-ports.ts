import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ports by which networks have metadata. */
export class MetadataPorts1796840000000 implements MigrationInterface {
  readonly name = 'MetadataPorts1796840000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE metadata_ports (
        network_id uuid NOT NULL
          CONSTRAINT metadata_ports_network_fkey REFERENCES networks ON DELETE CASCADE,
        port_id uuid NOT NULL
          CONSTRAINT metadata_ports_port_fkey REFERENCES ports ON DELETE CASCADE,
        CONSTRAINT metadata_ports_pkey PRIMARY KEY (network_id),
        CONSTRAINT metadata_ports_port_key UNIQUE (port_id))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE metadata_ports');
  }
}
