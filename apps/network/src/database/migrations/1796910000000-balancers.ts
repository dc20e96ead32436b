import type { MigrationInterface, QueryRunner } from 'typeorm';
import { STATE } from './1796500000000-core.js';

/** Load balancers of the data plane, and the addresses from which they check members. */
export class Balancers1796910000000 implements MigrationInterface {
  readonly name = 'Balancers1796910000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE balancers (id uuid PRIMARY KEY, ${STATE},
        project_id text NOT NULL,
        vip_port_id uuid NOT NULL,
        admin_state_up boolean NOT NULL,
        listeners jsonb NOT NULL,
        checked_subnet_ids uuid[] NOT NULL,
        health jsonb NOT NULL DEFAULT '{}')`);
    await runner.query(`
      CREATE TABLE balancer_sources (
        subnet_id uuid NOT NULL
          CONSTRAINT balancer_sources_subnet_fkey REFERENCES subnets ON DELETE CASCADE,
        port_id uuid NOT NULL
          CONSTRAINT balancer_sources_port_fkey REFERENCES ports ON DELETE CASCADE,
        CONSTRAINT balancer_sources_pkey PRIMARY KEY (subnet_id),
        CONSTRAINT balancer_sources_port_key UNIQUE (port_id))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE balancer_sources');
    await runner.query('DROP TABLE balancers');
  }
}
