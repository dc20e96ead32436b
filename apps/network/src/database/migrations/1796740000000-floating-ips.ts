import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RESOURCE } from './1796500000000-core.js';

/** Floating IPs, and the port forwardings of those that are no port's. */
export class FloatingIps1796740000000 implements MigrationInterface {
  readonly name = 'FloatingIps1796740000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE floating_ips (${RESOURCE},
        floating_network_id uuid NOT NULL
          CONSTRAINT floating_ips_network_fkey REFERENCES networks,
        floating_port_id uuid NOT NULL
          CONSTRAINT floating_ips_floating_port_fkey REFERENCES ports,
        floating_ip_address inet NOT NULL,
        fixed_port_id uuid CONSTRAINT floating_ips_fixed_port_fkey REFERENCES ports,
        fixed_ip_address inet,
        router_id uuid CONSTRAINT floating_ips_router_fkey REFERENCES routers,
        associated_at timestamptz,
        dns_name text NOT NULL DEFAULT '',
        dns_domain text NOT NULL DEFAULT '')`);
    await runner.query('CREATE INDEX floating_ips_project_idx ON floating_ips (project_id, id)');
    await runner.query('CREATE INDEX floating_ips_router_idx ON floating_ips (router_id)');
    await runner.query('CREATE INDEX floating_ips_port_idx ON floating_ips (fixed_port_id)');
    await runner.query(
      'CREATE UNIQUE INDEX floating_ips_floating_port_key ON floating_ips (floating_port_id)',
    );
    await runner.query(`
      CREATE UNIQUE INDEX floating_ips_fixed_key
          ON floating_ips (floating_network_id, fixed_port_id, fixed_ip_address)`);
    await runner.query(`
      CREATE TABLE port_forwardings (${RESOURCE},
        floatingip_id uuid NOT NULL
          CONSTRAINT port_forwardings_floating_ip_fkey REFERENCES floating_ips,
        protocol text NOT NULL,
        external_first integer NOT NULL,
        external_last integer NOT NULL,
        internal_port_id uuid NOT NULL
          CONSTRAINT port_forwardings_port_fkey REFERENCES ports,
        internal_ip_address inet NOT NULL,
        internal_first integer NOT NULL,
        internal_last integer NOT NULL)`);
    await runner.query(
      'CREATE INDEX port_forwardings_floating_ip_idx ON port_forwardings (floatingip_id)',
    );
    await runner.query(
      'CREATE INDEX port_forwardings_port_idx ON port_forwardings (internal_port_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE port_forwardings, floating_ips');
  }
}
