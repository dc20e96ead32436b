import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns of a load balancer and of each of its parts (tree.columns.ts). */
const TREE = `
  id uuid PRIMARY KEY,
  project_id text NOT NULL,
  name text NOT NULL DEFAULT '',
  description text NOT NULL DEFAULT '',
  admin_state_up boolean NOT NULL DEFAULT true,
  operating_status text NOT NULL DEFAULT 'OFFLINE',
  tags text[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3)`;

/** Of a part, which goes with its load balancer. @param table whose it is */
const partOf = (table: string): string => `${TREE},
  load_balancer_id uuid NOT NULL CONSTRAINT ${table}_load_balancer_fkey
    REFERENCES load_balancers ON DELETE CASCADE,
  provisioning_status text NOT NULL DEFAULT 'PENDING_CREATE'`;

const TLS = `
  tls_ciphers text,
  tls_versions text[] NOT NULL DEFAULT '{}',
  alpn_protocols text[] NOT NULL DEFAULT '{}'`;

const PARTS = ['listeners', 'pools', 'members', 'health_monitors', 'l7_policies', 'l7_rules'];

/** Load balancers, all that they consist of, what they carried, and the hosts that run them. */
export class Core1796360000000 implements MigrationInterface {
  readonly name = 'Core1796360000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE hosts (
        name text PRIMARY KEY,
        data_plane text NOT NULL,
        seen_at timestamptz NOT NULL)`);
    await runner.query(`
      CREATE TABLE load_balancers (${TREE},
        state text NOT NULL, previous_state text,
        state_since timestamptz NOT NULL DEFAULT now(),
        state_deadline timestamptz, state_reason text,
        generation integer NOT NULL DEFAULT 1,
        provider text NOT NULL,
        flavor_id uuid,
        availability_zone text,
        vip_address text,
        vip_port_id uuid,
        owns_vip_port boolean NOT NULL DEFAULT true,
        vip_subnet_id uuid,
        vip_network_id uuid,
        vip_qos_policy_id uuid,
        vip_vnic_type text NOT NULL DEFAULT 'normal',
        vip_sg_ids uuid[] NOT NULL DEFAULT '{}',
        additional_vips jsonb NOT NULL DEFAULT '[]',
        host text CONSTRAINT load_balancers_host_fkey REFERENCES hosts)`);
    await runner.query(`
      CREATE TABLE pools (${partOf('pools')},
        protocol text NOT NULL,
        lb_algorithm text NOT NULL,
        session_persistence jsonb,
        tls_enabled boolean NOT NULL DEFAULT false,
        tls_container_ref text,
        ca_tls_container_ref text,
        crl_container_ref text, ${TLS})`);
    await runner.query(`
      CREATE TABLE listeners (${partOf('listeners')},
        protocol text NOT NULL,
        protocol_port integer NOT NULL,
        connection_limit integer NOT NULL DEFAULT -1,
        default_pool_id uuid
          CONSTRAINT listeners_default_pool_fkey REFERENCES pools ON DELETE SET NULL,
        allowed_cidrs text[] NOT NULL DEFAULT '{}',
        insert_headers jsonb NOT NULL DEFAULT '{}',
        timeout_client_data integer NOT NULL DEFAULT 50000,
        timeout_member_connect integer NOT NULL DEFAULT 5000,
        timeout_member_data integer NOT NULL DEFAULT 50000,
        timeout_tcp_inspect integer NOT NULL DEFAULT 0,
        default_tls_container_ref text,
        sni_container_refs text[] NOT NULL DEFAULT '{}',
        client_ca_tls_container_ref text,
        client_authentication text NOT NULL DEFAULT 'NONE',
        client_crl_container_ref text, ${TLS},
        hsts_max_age integer,
        hsts_include_subdomains boolean NOT NULL DEFAULT false,
        hsts_preload boolean NOT NULL DEFAULT false)`);
    await runner.query(`
      CREATE TABLE members (${partOf('members')},
        pool_id uuid NOT NULL CONSTRAINT members_pool_fkey REFERENCES pools ON DELETE CASCADE,
        address text NOT NULL,
        protocol_port integer NOT NULL,
        weight integer NOT NULL DEFAULT 1,
        backup boolean NOT NULL DEFAULT false,
        subnet_id uuid,
        monitor_address text,
        monitor_port integer,
        vnic_type text NOT NULL DEFAULT 'normal')`);
    await runner.query(`
      CREATE TABLE health_monitors (${partOf('health_monitors')},
        pool_id uuid NOT NULL
          CONSTRAINT health_monitors_pool_fkey REFERENCES pools ON DELETE CASCADE,
        type text NOT NULL,
        delay integer NOT NULL,
        timeout integer NOT NULL,
        max_retries integer NOT NULL,
        max_retries_down integer NOT NULL DEFAULT 3,
        http_method text,
        url_path text,
        expected_codes text,
        http_version double precision,
        domain_name text)`);
    await runner.query(`
      CREATE TABLE l7_policies (${partOf('l7_policies')},
        listener_id uuid NOT NULL
          CONSTRAINT l7_policies_listener_fkey REFERENCES listeners ON DELETE CASCADE,
        action text NOT NULL,
        position integer NOT NULL,
        redirect_pool_id uuid
          CONSTRAINT l7_policies_redirect_pool_fkey REFERENCES pools ON DELETE SET NULL,
        redirect_url text,
        redirect_prefix text,
        redirect_http_code integer)`);
    await runner.query(`
      CREATE TABLE l7_rules (${partOf('l7_rules')},
        l7_policy_id uuid NOT NULL
          CONSTRAINT l7_rules_l7_policy_fkey REFERENCES l7_policies ON DELETE CASCADE,
        type text NOT NULL,
        compare_type text NOT NULL,
        key text,
        value text NOT NULL,
        invert boolean NOT NULL DEFAULT false)`);
    await runner.query(`
      CREATE TABLE listener_statistics (
        listener_id uuid CONSTRAINT listener_statistics_pkey PRIMARY KEY
          CONSTRAINT listener_statistics_listener_fkey REFERENCES listeners ON DELETE CASCADE,
        load_balancer_id uuid NOT NULL CONSTRAINT listener_statistics_load_balancer_fkey
          REFERENCES load_balancers ON DELETE CASCADE,
        bytes_in bigint NOT NULL DEFAULT 0,
        bytes_out bigint NOT NULL DEFAULT 0,
        active_connections bigint NOT NULL DEFAULT 0,
        total_connections bigint NOT NULL DEFAULT 0,
        request_errors bigint NOT NULL DEFAULT 0,
        counted jsonb NOT NULL DEFAULT '{}')`);
    await index(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE listener_statistics, l7_rules, l7_policies, health_monitors, members, listeners,
        pools, load_balancers, hosts`);
  }
}

async function index(runner: QueryRunner): Promise<void> {
  for (const table of ['load_balancers', ...PARTS])
    await runner.query(
      `CREATE INDEX ${table}_project_idx ON ${table} (project_id, created_at, id)`,
    );
  for (const table of [...PARTS, 'listener_statistics'])
    await runner.query(`CREATE INDEX ${table}_load_balancer_idx ON ${table} (load_balancer_id)`);
  const others = [
    'load_balancers_host_idx ON load_balancers (host)',
    'load_balancers_vip_port_idx ON load_balancers (vip_port_id)',
    'listeners_default_pool_idx ON listeners (default_pool_id)',
    'members_pool_idx ON members (pool_id, id)',
    'l7_policies_listener_idx ON l7_policies (listener_id, position)',
    'l7_policies_redirect_pool_idx ON l7_policies (redirect_pool_id)',
    'l7_rules_l7_policy_idx ON l7_rules (l7_policy_id, id)',
  ];
  for (const one of others) await runner.query(`CREATE INDEX ${one}`);
  // What is being deleted is no longer in the way of what takes its place.
  const keys = [
    `listeners_port_key ON listeners (load_balancer_id, protocol_port,
       (CASE WHEN protocol IN ('UDP', 'SCTP') THEN protocol ELSE 'TCP' END))`,
    // An address of IPv6 can be written in several ways.
    'members_address_key ON members (pool_id, (address::inet), protocol_port)',
    'health_monitors_pool_key ON health_monitors (pool_id)',
  ];
  for (const one of keys)
    await runner.query(`CREATE UNIQUE INDEX ${one} WHERE provisioning_status <> 'PENDING_DELETE'`);
}
