import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RESOURCE } from './1796500000000-core.js';

/** Ports that carry the packets of others. */
export class Trunks1796880000000 implements MigrationInterface {
  readonly name = 'Trunks1796880000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE trunks (${RESOURCE},
        admin_state_up boolean NOT NULL DEFAULT true,
        port_id uuid NOT NULL CONSTRAINT trunks_port_fkey REFERENCES ports)`);
    await runner.query('CREATE INDEX trunks_project_idx ON trunks (project_id, id)');
    await runner.query('CREATE UNIQUE INDEX trunks_port_key ON trunks (port_id)');
    await runner.query(`
      CREATE TABLE subports (
        port_id uuid CONSTRAINT subports_pkey PRIMARY KEY
          CONSTRAINT subports_port_fkey REFERENCES ports,
        trunk_id uuid NOT NULL CONSTRAINT subports_trunk_fkey REFERENCES trunks ON DELETE CASCADE,
        segmentation_type text NOT NULL,
        segmentation_id integer NOT NULL)`);
    await runner.query(`
      CREATE UNIQUE INDEX subports_segmentation_key
          ON subports (trunk_id, segmentation_type, segmentation_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE subports');
    await runner.query('DROP TABLE trunks');
  }
}
