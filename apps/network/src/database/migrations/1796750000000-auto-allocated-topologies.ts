import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is made for projects that ask for any network, and the one network that leads out of it. */
export class AutoAllocatedTopologies1796750000000 implements MigrationInterface {
  readonly name = 'AutoAllocatedTopologies1796750000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE auto_allocated_topologies (
        project_id text NOT NULL,
        network_id uuid NOT NULL
          CONSTRAINT auto_allocated_topologies_network_fkey REFERENCES networks ON DELETE CASCADE,
        router_id uuid
          CONSTRAINT auto_allocated_topologies_router_fkey REFERENCES routers ON DELETE SET NULL,
        CONSTRAINT auto_allocated_topologies_pkey PRIMARY KEY (project_id))`);
    await runner.query(`
      CREATE UNIQUE INDEX networks_default_key ON networks (is_default)
       WHERE is_default AND is_external AND state <> 'removing'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX networks_default_key');
    await runner.query('DROP TABLE auto_allocated_topologies');
  }
}
