import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Policies that Keystone keeps for other services, and what projects see of the catalog. */
export class PoliciesAndFilters1796000000000 implements MigrationInterface {
  readonly name = 'PoliciesAndFilters1796000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE policies (
        id text CONSTRAINT policies_pkey PRIMARY KEY,
        type text NOT NULL,
        blob text NOT NULL,
        extra jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE endpoint_groups (
        id text CONSTRAINT endpoint_groups_pkey PRIMARY KEY,
        name text NOT NULL,
        description text,
        filters jsonb NOT NULL,
        extra jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE project_endpoints (
        project_id text
          CONSTRAINT project_endpoints_project_id_fkey REFERENCES projects ON DELETE CASCADE,
        endpoint_id text
          CONSTRAINT project_endpoints_endpoint_id_fkey REFERENCES endpoints ON DELETE CASCADE,
        CONSTRAINT project_endpoints_pkey PRIMARY KEY (project_id, endpoint_id)
      )`);
    await runner.query(
      'CREATE INDEX project_endpoints_endpoint_id_idx ON project_endpoints (endpoint_id)',
    );
    await runner.query(`
      CREATE TABLE project_endpoint_groups (
        project_id text
          CONSTRAINT project_endpoint_groups_project_id_fkey REFERENCES projects ON DELETE CASCADE,
        endpoint_group_id text
          CONSTRAINT project_endpoint_groups_endpoint_group_id_fkey
            REFERENCES endpoint_groups ON DELETE CASCADE,
        CONSTRAINT project_endpoint_groups_pkey PRIMARY KEY (project_id, endpoint_group_id)
      )`);
    await runner.query(
      'CREATE INDEX project_endpoint_groups_endpoint_group_id_idx ON project_endpoint_groups (endpoint_group_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE project_endpoint_groups, project_endpoints, endpoint_groups, policies',
    );
  }
}
