import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Inputs of placement: aggregates, server groups, and scheduler hints. */
export class Placement1796330401000 implements MigrationInterface {
  readonly name = 'Placement1796330401000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE aggregates (
        id serial CONSTRAINT aggregates_pkey PRIMARY KEY,
        uuid uuid NOT NULL,
        name text NOT NULL CONSTRAINT aggregates_name_key UNIQUE,
        zone text,
        metadata jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz
      )`);
    // An aggregate with hosts cannot be deleted; a deleted host leaves its aggregates.
    await runner.query(`
      CREATE TABLE aggregate_hosts (
        aggregate_id integer NOT NULL
          CONSTRAINT aggregate_hosts_aggregate_fkey REFERENCES aggregates (id),
        host text NOT NULL
          CONSTRAINT aggregate_hosts_host_fkey REFERENCES hosts (name) ON DELETE CASCADE,
        CONSTRAINT aggregate_hosts_pkey PRIMARY KEY (aggregate_id, host)
      )`);
    await runner.query('CREATE INDEX aggregate_hosts_host_idx ON aggregate_hosts (host)');
    await runner.query(`
      CREATE TABLE server_groups (
        id uuid CONSTRAINT server_groups_pkey PRIMARY KEY,
        project_id text NOT NULL,
        user_id text NOT NULL,
        name text NOT NULL,
        policy text NOT NULL,
        max_per_host integer,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT server_groups_policy_check
          CHECK (policy IN ('affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity')),
        CONSTRAINT server_groups_rules_check
          CHECK (max_per_host IS NULL OR (max_per_host > 0 AND policy = 'anti-affinity'))
      )`);
    await runner.query('CREATE INDEX server_groups_project_idx ON server_groups (project_id)');
    await runner.query(`
      CREATE TABLE server_group_members (
        server_id uuid CONSTRAINT server_group_members_pkey PRIMARY KEY
          CONSTRAINT server_group_members_server_fkey REFERENCES servers (id) ON DELETE CASCADE,
        group_id uuid NOT NULL
          CONSTRAINT server_group_members_group_fkey REFERENCES server_groups (id) ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE INDEX server_group_members_group_idx ON server_group_members (group_id)',
    );
    await runner.query(`
      ALTER TABLE servers
        ADD scheduling jsonb NOT NULL DEFAULT '{}',
        ADD tried_hosts jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE servers DROP scheduling, DROP tried_hosts');
    await runner.query('DROP TABLE server_group_members');
    await runner.query('DROP TABLE server_groups');
    await runner.query('DROP TABLE aggregate_hosts');
    await runner.query('DROP TABLE aggregates');
    await runner.query('UPDATE hosts SET zone = NULL');
  }
}
