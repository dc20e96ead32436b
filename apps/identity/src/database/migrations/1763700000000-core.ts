import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Domains, projects, users, roles and their assignments; signing keys and revocations. */
export class Core1763700000000 implements MigrationInterface {
  readonly name = 'Core1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE domains (
        id text CONSTRAINT domains_pkey PRIMARY KEY,
        name text NOT NULL CONSTRAINT domains_name_key UNIQUE,
        description text NOT NULL DEFAULT '',
        enabled boolean NOT NULL DEFAULT true,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE projects (
        id text CONSTRAINT projects_pkey PRIMARY KEY,
        domain_id text NOT NULL CONSTRAINT projects_domain_id_fkey REFERENCES domains,
        parent_id text CONSTRAINT projects_parent_id_fkey REFERENCES projects,
        name text NOT NULL,
        description text NOT NULL DEFAULT '',
        enabled boolean NOT NULL DEFAULT true,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT projects_domain_name_key UNIQUE (domain_id, name)
      )`);
    await runner.query('CREATE INDEX projects_parent_id_idx ON projects (parent_id)');
    await runner.query(`
      CREATE TABLE users (
        id text CONSTRAINT users_pkey PRIMARY KEY,
        domain_id text NOT NULL CONSTRAINT users_domain_id_fkey REFERENCES domains,
        name text NOT NULL,
        description text NOT NULL DEFAULT '',
        enabled boolean NOT NULL DEFAULT true,
        default_project_id text
          CONSTRAINT users_default_project_id_fkey REFERENCES projects ON DELETE SET NULL,
        password_hash text,
        setting_digest text,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT users_domain_name_key UNIQUE (domain_id, name)
      )`);
    await runner.query('CREATE INDEX users_default_project_id_idx ON users (default_project_id)');
    await runner.query(`
      CREATE TABLE roles (
        id text CONSTRAINT roles_pkey PRIMARY KEY,
        name text NOT NULL CONSTRAINT roles_name_key UNIQUE,
        description text NOT NULL DEFAULT '',
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await this.#assignments(runner);
    await runner.query(`
      CREATE TABLE signing_keys (
        kid text CONSTRAINT signing_keys_pkey PRIMARY KEY,
        public_jwk jsonb NOT NULL,
        sealed_private_jwk text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE INDEX signing_keys_created_at_idx ON signing_keys (created_at)');
    await runner.query(`
      CREATE TABLE revocations (
        id text CONSTRAINT revocations_pkey PRIMARY KEY,
        audit_id text,
        audit_chain_id text,
        user_id text,
        project_id text,
        domain_id text,
        issued_before timestamptz NOT NULL,
        revoked_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX revocations_expires_at_idx ON revocations (expires_at)');
  }

  async #assignments(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE role_assignments (
        id text CONSTRAINT role_assignments_pkey PRIMARY KEY,
        role_id text NOT NULL
          CONSTRAINT role_assignments_role_id_fkey REFERENCES roles ON DELETE CASCADE,
        user_id text NOT NULL
          CONSTRAINT role_assignments_user_id_fkey REFERENCES users ON DELETE CASCADE,
        project_id text
          CONSTRAINT role_assignments_project_id_fkey REFERENCES projects ON DELETE CASCADE,
        domain_id text
          CONSTRAINT role_assignments_domain_id_fkey REFERENCES domains ON DELETE CASCADE,
        on_system boolean NOT NULL DEFAULT false,
        CONSTRAINT role_assignments_target_check
          CHECK (num_nonnulls(project_id, domain_id) + on_system::integer = 1)
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX role_assignments_project_key
        ON role_assignments (user_id, project_id, role_id) WHERE project_id IS NOT NULL`);
    await runner.query(`
      CREATE UNIQUE INDEX role_assignments_domain_key
        ON role_assignments (user_id, domain_id, role_id) WHERE domain_id IS NOT NULL`);
    await runner.query(`
      CREATE UNIQUE INDEX role_assignments_system_key
        ON role_assignments (user_id, role_id) WHERE on_system`);
    await runner.query('CREATE INDEX role_assignments_role_id_idx ON role_assignments (role_id)');
    await runner.query(
      'CREATE INDEX role_assignments_project_id_idx ON role_assignments (project_id)',
    );
    await runner.query(
      'CREATE INDEX role_assignments_domain_id_idx ON role_assignments (domain_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE revocations, signing_keys, role_assignments, roles, users, projects, domains',
    );
  }
}
