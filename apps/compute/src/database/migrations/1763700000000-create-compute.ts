import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Flavors, including those of every OpenStack cloud; hosts; servers. */
export class CreateCompute1763700000000 implements MigrationInterface {
  readonly name = 'CreateCompute1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE flavors (
        id text CONSTRAINT flavors_pkey PRIMARY KEY,
        name text NOT NULL,
        vcpus integer NOT NULL,
        memory_mb integer NOT NULL,
        disk_gb integer NOT NULL,
        description text,
        is_public boolean NOT NULL DEFAULT true,
        CONSTRAINT flavors_sizes_check CHECK (vcpus > 0 AND memory_mb > 0 AND disk_gb >= 0)
      )`);
    await runner.query('CREATE UNIQUE INDEX flavors_name_key ON flavors (name)');
    await runner.query(`
      INSERT INTO flavors (id, name, vcpus, memory_mb, disk_gb) VALUES
        ('1', 'm1.tiny', 1, 512, 1),
        ('2', 'm1.small', 1, 2048, 20),
        ('3', 'm1.medium', 2, 4096, 40),
        ('4', 'm1.large', 4, 8192, 80),
        ('5', 'm1.xlarge', 8, 16384, 160),
        ('42', 'm1.nano', 1, 128, 1),
        ('84', 'm1.micro', 1, 256, 1)`);
    await runner.query(`
      CREATE TABLE hosts (
        name text CONSTRAINT hosts_pkey PRIMARY KEY,
        hypervisor_type text NOT NULL,
        hypervisor_version text NOT NULL,
        vcpus integer NOT NULL,
        memory_mb integer NOT NULL,
        disk_gb integer NOT NULL,
        api_url text,
        enabled boolean NOT NULL DEFAULT true,
        seen_at timestamptz NOT NULL,
        CONSTRAINT hosts_resources_check CHECK (vcpus > 0 AND memory_mb >= 0 AND disk_gb >= 0)
      )`);
    await runner.query(`
      CREATE TABLE servers (
        id uuid CONSTRAINT servers_pkey PRIMARY KEY,
        project_id text NOT NULL,
        user_id text NOT NULL,
        name text NOT NULL,
        hostname text NOT NULL,
        description text,
        flavor jsonb NOT NULL,
        vcpus integer NOT NULL,
        memory_mb integer NOT NULL,
        disk_gb integer NOT NULL,
        image_id uuid NOT NULL,
        image jsonb NOT NULL,
        host text,
        nic text NOT NULL,
        metadata jsonb NOT NULL DEFAULT '{}',
        tags text[] NOT NULL DEFAULT '{}',
        user_data text,
        admin_password text,
        config_drive boolean NOT NULL DEFAULT false,
        reservation_id text NOT NULL,
        launch_index integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        launched_at timestamptz(3),
        state text NOT NULL,
        previous_state text,
        state_since timestamptz NOT NULL DEFAULT now(),
        state_deadline timestamptz,
        state_reason text,
        CONSTRAINT servers_state_check CHECK (state IN ('scheduling', 'building', 'active', 'stopping', 'stopped', 'starting', 'rebooting', 'hard-rebooting', 'deleting', 'error')),
        CONSTRAINT servers_nic_check CHECK (nic IN ('none', 'isolated'))
      )`);
    await runner.query(
      'CREATE INDEX servers_project_page_idx ON servers (project_id, created_at, id)',
    );
    await runner.query('CREATE INDEX servers_page_idx ON servers (created_at, id)');
    await runner.query('CREATE INDEX servers_host_idx ON servers (host)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE servers, hosts, flavors');
  }
}
