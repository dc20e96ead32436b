import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RESOURCE, STATE } from './1796500000000-core.js';

/** Routers, and the ports that they have. */
export class Routers1796720000000 implements MigrationInterface {
  readonly name = 'Routers1796720000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE routers (${RESOURCE}, ${STATE},
        admin_state_up boolean NOT NULL DEFAULT true,
        enable_snat boolean NOT NULL DEFAULT true,
        routes jsonb NOT NULL DEFAULT '[]',
        applied_at timestamptz)`);
    await runner.query('CREATE INDEX routers_project_idx ON routers (project_id, id)');
    await runner.query(`
      CREATE TABLE router_ports (
        port_id uuid NOT NULL
          CONSTRAINT router_ports_port_fkey REFERENCES ports ON DELETE CASCADE,
        router_id uuid NOT NULL CONSTRAINT router_ports_router_fkey REFERENCES routers,
        kind text NOT NULL
          CONSTRAINT router_ports_kind_check CHECK (kind IN ('interface', 'gateway')),
        position integer NOT NULL DEFAULT 0,
        CONSTRAINT router_ports_pkey PRIMARY KEY (port_id))`);
    await runner.query('CREATE INDEX router_ports_router_idx ON router_ports (router_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE router_ports, routers');
  }
}
