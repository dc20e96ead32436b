import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEFUL = `
  state text NOT NULL,
  previous_state text,
  state_since timestamptz NOT NULL DEFAULT now(),
  state_deadline timestamptz,
  state_reason text,
  generation integer NOT NULL DEFAULT 1`;

const TIMES = `
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3)`;

const INDEXES = [
  'cluster_templates_project_page_idx ON cluster_templates (project_id, created_at, id)',
  'cluster_templates_page_idx ON cluster_templates (created_at, id)',
  'cluster_templates_public_idx ON cluster_templates (created_at, id) WHERE public',
  'cluster_templates_name_idx ON cluster_templates (name)',
  'clusters_project_page_idx ON clusters (project_id, created_at, id)',
  'clusters_page_idx ON clusters (created_at, id)',
  'clusters_name_idx ON clusters (project_id, name)',
  'clusters_template_idx ON clusters (cluster_template_id)',
  `clusters_unsettled_idx ON clusters (state) WHERE state LIKE '%_in_progress'`,
  'clusters_health_idx ON clusters (health_checked_at)',
  'node_groups_cluster_page_idx ON node_groups (cluster_id, created_at, id)',
  'node_groups_project_idx ON node_groups (project_id)',
  'nodes_cluster_idx ON nodes (cluster_id, created_at, id)',
  'nodes_group_idx ON nodes (node_group_id)',
];

const UNIQUE = [
  'node_groups_name_idx ON node_groups (cluster_id, name)',
  'nodes_name_idx ON nodes (cluster_id, name)',
  'quotas_resource_idx ON quotas (project_id, resource)',
];

/** Templates, clusters, their node groups and nodes, and the numbers of quotas. */
export class Core1798400000000 implements MigrationInterface {
  readonly name = 'Core1798400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE cluster_templates (
        id uuid CONSTRAINT cluster_templates_pkey PRIMARY KEY,
        project_id text NOT NULL,
        user_id text NOT NULL,
        name text NOT NULL,
        coe text NOT NULL DEFAULT 'kubernetes',
        image_id text NOT NULL,
        flavor_id text,
        master_flavor_id text,
        dns_nameserver text,
        keypair_id text,
        external_network_id text,
        fixed_network text,
        fixed_subnet text,
        network_driver text NOT NULL,
        apiserver_port integer,
        docker_volume_size integer,
        docker_storage_driver text,
        cluster_distro text,
        http_proxy text,
        https_proxy text,
        no_proxy text,
        volume_driver text,
        registry_enabled boolean NOT NULL DEFAULT false,
        insecure_registry text,
        labels jsonb NOT NULL DEFAULT '{}',
        tls_disabled boolean NOT NULL DEFAULT false,
        public boolean NOT NULL DEFAULT false,
        hidden boolean NOT NULL DEFAULT false,
        server_type text NOT NULL DEFAULT 'vm',
        master_lb_enabled boolean NOT NULL DEFAULT false,
        floating_ip_enabled boolean NOT NULL DEFAULT true,
        tags text,
        driver text, ${TIMES})`);
    await runner.query(`
      CREATE TABLE clusters (
        id uuid CONSTRAINT clusters_pkey PRIMARY KEY,
        project_id text NOT NULL,
        user_id text NOT NULL,
        name text NOT NULL,
        cluster_template_id uuid NOT NULL
          CONSTRAINT clusters_template_fkey REFERENCES cluster_templates, ${STATEFUL},
        keypair text,
        public_key text,
        flavor_id text NOT NULL,
        master_flavor_id text NOT NULL,
        docker_volume_size integer,
        labels jsonb NOT NULL DEFAULT '{}',
        fixed_network text,
        fixed_subnet text,
        floating_ip_enabled boolean NOT NULL,
        master_lb_enabled boolean NOT NULL,
        create_timeout integer NOT NULL,
        timeout_at timestamptz,
        discovery_url text,
        blueprint jsonb NOT NULL,
        infrastructure jsonb,
        stack_id text,
        stack_digest text,
        api_address text,
        coe_version text,
        container_version text,
        trust_id text,
        trustor_id text,
        former_trust_ids text[] NOT NULL DEFAULT '{}',
        secrets text,
        pki_generation integer NOT NULL DEFAULT 0,
        pki_wanted integer NOT NULL DEFAULT 1,
        credential_wanted integer NOT NULL DEFAULT 1,
        conditions jsonb NOT NULL DEFAULT '{}',
        health_status text,
        health_status_reason jsonb NOT NULL DEFAULT '{}',
        health_told jsonb,
        health_checked_at timestamptz,
        max_batch_size integer NOT NULL DEFAULT 1,
        rollback_to jsonb, ${TIMES})`);
    await runner.query(`
      CREATE TABLE node_groups (
        id uuid CONSTRAINT node_groups_pkey PRIMARY KEY,
        number bigserial NOT NULL,
        cluster_id uuid NOT NULL
          CONSTRAINT node_groups_cluster_fkey REFERENCES clusters ON DELETE CASCADE,
        project_id text NOT NULL,
        name text NOT NULL,
        role text NOT NULL,
        is_default boolean NOT NULL DEFAULT false,
        node_count integer NOT NULL,
        min_node_count integer NOT NULL DEFAULT 0,
        max_node_count integer,
        flavor_id text NOT NULL,
        image_id text NOT NULL,
        image_ref text NOT NULL,
        version text,
        docker_volume_size integer,
        labels jsonb NOT NULL DEFAULT '{}',
        node_labels jsonb,
        node_taints jsonb,
        is_leaving boolean NOT NULL DEFAULT false,
        status text NOT NULL,
        status_reason text, ${TIMES})`);
    await runner.query(`
      CREATE TABLE nodes (
        id uuid CONSTRAINT nodes_pkey PRIMARY KEY,
        cluster_id uuid NOT NULL
          CONSTRAINT nodes_cluster_fkey REFERENCES clusters ON DELETE CASCADE,
        node_group_id uuid NOT NULL CONSTRAINT nodes_group_fkey REFERENCES node_groups,
        name text NOT NULL,
        role text NOT NULL,
        fate text NOT NULL DEFAULT 'wanted',
        flavor_id text NOT NULL,
        image_ref text NOT NULL,
        availability_zone text,
        user_data text NOT NULL,
        token_expires_at timestamptz NOT NULL,
        used_by text,
        server_id text,
        address text,
        public_address text,
        status text NOT NULL DEFAULT 'SILENT',
        phase text,
        message text,
        version text,
        pki_generation integer,
        has_etcd boolean NOT NULL DEFAULT false,
        is_founder boolean NOT NULL DEFAULT false,
        is_drained boolean,
        drain_until timestamptz,
        addons jsonb NOT NULL DEFAULT '{}',
        heard_at timestamptz,
        lost_since timestamptz,
        created_at timestamptz(3) NOT NULL DEFAULT now())`);
    // The limits are in quota_limits, as in every service.
    await runner.query(`
      CREATE TABLE quotas (
        id serial CONSTRAINT quotas_pkey PRIMARY KEY,
        project_id text NOT NULL,
        resource text NOT NULL, ${TIMES})`);
    for (const index of INDEXES) await runner.query(`CREATE INDEX ${index}`);
    for (const index of UNIQUE) await runner.query(`CREATE UNIQUE INDEX ${index}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['quotas', 'nodes', 'node_groups', 'clusters', 'cluster_templates'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
