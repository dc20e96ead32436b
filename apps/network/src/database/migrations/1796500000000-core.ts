import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns of every resource (STANDARD of resource.ts). */
export const RESOURCE = `
  id uuid PRIMARY KEY,
  project_id text NOT NULL,
  name text NOT NULL DEFAULT '',
  description text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision_number integer NOT NULL DEFAULT 0,
  tags text[] NOT NULL DEFAULT '{}'`;

export const STATE = `
  state text NOT NULL, previous_state text,
  state_since timestamptz NOT NULL DEFAULT now(),
  state_deadline timestamptz, state_reason text,
  generation integer NOT NULL DEFAULT 1`;

/** Networks, their subnets, ports, and the addresses of both. */
export class Core1796500000000 implements MigrationInterface {
  readonly name = 'Core1796500000000';

  async up(runner: QueryRunner): Promise<void> {
    // Tunnels have 24 bits for the network's number; 0 is none.
    await runner.query('CREATE SEQUENCE network_tunnels MAXVALUE 16777215 CYCLE');
    await runner.query(`
      CREATE TABLE networks (${RESOURCE}, ${STATE},
        admin_state_up boolean NOT NULL DEFAULT true,
        shared boolean NOT NULL DEFAULT false,
        is_external boolean NOT NULL DEFAULT false,
        is_default boolean NOT NULL DEFAULT false,
        mtu integer NOT NULL,
        port_security_enabled boolean NOT NULL DEFAULT true,
        dns_domain text NOT NULL DEFAULT '',
        network_type text NOT NULL,
        physical_network text,
        segmentation_id integer)`);
    await runner.query('CREATE INDEX networks_project_idx ON networks (project_id, id)');
    await runner.query(
      'CREATE INDEX networks_shared_idx ON networks (id) WHERE shared OR is_external',
    );
    await runner.query(`
      CREATE UNIQUE INDEX networks_segment_key
          ON networks (network_type, physical_network, segmentation_id) NULLS NOT DISTINCT
       WHERE network_type <> 'local' AND state <> 'removing'`);
    await runner.query(`
      CREATE TABLE subnets (${RESOURCE},
        network_id uuid NOT NULL CONSTRAINT subnets_network_fkey REFERENCES networks,
        ip_version integer NOT NULL,
        cidr cidr NOT NULL,
        gateway_ip text,
        allocation_pools jsonb NOT NULL,
        dns_nameservers jsonb NOT NULL DEFAULT '[]',
        host_routes jsonb NOT NULL DEFAULT '[]',
        enable_dhcp boolean NOT NULL DEFAULT true,
        ipv6_ra_mode text,
        ipv6_address_mode text,
        service_types text[] NOT NULL DEFAULT '{}')`);
    await runner.query('CREATE INDEX subnets_project_idx ON subnets (project_id, id)');
    await runner.query('CREATE INDEX subnets_network_idx ON subnets (network_id)');
    await runner.query(`
      CREATE TABLE address_ranges (
        subnet_id uuid NOT NULL
          CONSTRAINT address_ranges_subnet_fkey REFERENCES subnets ON DELETE CASCADE,
        first inet NOT NULL,
        last inet NOT NULL,
        CONSTRAINT address_ranges_pkey PRIMARY KEY (subnet_id, last),
        CONSTRAINT address_ranges_order_check CHECK (first <= last)
      )`);
    await runner.query(`
      CREATE TABLE ports (${RESOURCE}, ${STATE},
        network_id uuid NOT NULL CONSTRAINT ports_network_fkey REFERENCES networks,
        admin_state_up boolean NOT NULL DEFAULT true,
        mac_address text NOT NULL,
        device_id text NOT NULL DEFAULT '',
        device_owner text NOT NULL DEFAULT '',
        host_id text NOT NULL DEFAULT '',
        vnic_type text NOT NULL DEFAULT 'normal',
        binding_profile jsonb NOT NULL DEFAULT '{}',
        port_security_enabled boolean NOT NULL,
        allowed_address_pairs jsonb NOT NULL DEFAULT '[]',
        extra_dhcp_opts jsonb NOT NULL DEFAULT '[]',
        dns_name text NOT NULL DEFAULT '')`);
    await runner.query('CREATE INDEX ports_project_idx ON ports (project_id, id)');
    await runner.query('CREATE INDEX ports_network_idx ON ports (network_id, id)');
    await runner.query('CREATE INDEX ports_device_idx ON ports (device_id)');
    await runner.query(`
      CREATE UNIQUE INDEX ports_mac_key ON ports (network_id, mac_address)
       WHERE state <> 'removing'`);
    await runner.query(`
      CREATE TABLE ip_allocations (
        network_id uuid NOT NULL,
        address inet NOT NULL,
        subnet_id uuid NOT NULL CONSTRAINT ip_allocations_subnet_fkey REFERENCES subnets,
        port_id uuid NOT NULL
          CONSTRAINT ip_allocations_port_fkey REFERENCES ports ON DELETE CASCADE,
        position integer NOT NULL,
        CONSTRAINT ip_allocations_pkey PRIMARY KEY (network_id, address))`);
    await runner.query('CREATE INDEX ip_allocations_port_idx ON ip_allocations (port_id)');
    await runner.query('CREATE INDEX ip_allocations_subnet_idx ON ip_allocations (subnet_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ip_allocations, ports, address_ranges, subnets, networks');
    await runner.query('DROP SEQUENCE network_tunnels');
  }
}
