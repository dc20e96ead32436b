import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RESOURCE } from './1796500000000-core.js';

/** Address scopes, subnet pools, and the pools that subnets are of. */
export class SubnetPools1796710000000 implements MigrationInterface {
  readonly name = 'SubnetPools1796710000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE address_scopes (${RESOURCE},
        ip_version integer NOT NULL,
        shared boolean NOT NULL DEFAULT false)`);
    await runner.query(
      'CREATE INDEX address_scopes_project_idx ON address_scopes (project_id, id)',
    );
    await runner.query(
      'CREATE INDEX address_scopes_shared_idx ON address_scopes (id) WHERE shared',
    );
    await runner.query(`
      CREATE TABLE subnetpools (${RESOURCE},
        ip_version integer NOT NULL,
        prefixes text[] NOT NULL,
        default_prefixlen integer NOT NULL,
        min_prefixlen integer NOT NULL,
        max_prefixlen integer NOT NULL,
        default_quota integer,
        shared boolean NOT NULL DEFAULT false,
        is_default boolean NOT NULL DEFAULT false,
        address_scope_id uuid CONSTRAINT subnetpools_scope_fkey REFERENCES address_scopes)`);
    await runner.query('CREATE INDEX subnetpools_project_idx ON subnetpools (project_id, id)');
    await runner.query('CREATE INDEX subnetpools_shared_idx ON subnetpools (id) WHERE shared');
    await runner.query('CREATE INDEX subnetpools_scope_idx ON subnetpools (address_scope_id)');
    await runner.query(
      'CREATE UNIQUE INDEX subnetpools_default_key ON subnetpools (ip_version) WHERE is_default',
    );
    await runner.query(`
      ALTER TABLE subnets
        ADD subnetpool_id uuid CONSTRAINT subnets_subnetpool_fkey REFERENCES subnetpools`);
    await runner.query('CREATE INDEX subnets_subnetpool_idx ON subnets (subnetpool_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE subnets DROP subnetpool_id');
    await runner.query('DROP TABLE subnetpools, address_scopes');
  }
}
