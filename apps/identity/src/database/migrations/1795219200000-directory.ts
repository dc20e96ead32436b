import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Groups; domains' roles and roles that imply others; roles of groups, and roles that projects
 * inherit; the tree of projects, tags, options and properties; what password rules need.
 */
export class Directory1795219200000 implements MigrationInterface {
  readonly name = 'Directory1795219200000';

  async up(runner: QueryRunner): Promise<void> {
    await this.#owners(runner);
    await this.#passwords(runner);
    await this.#groups(runner);
    await this.#roles(runner);
    await this.#assignments(runner);
  }

  /** What a domain owns goes with it. */
  async #owners(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE domains
        ADD tags text[] NOT NULL DEFAULT '{}',
        ADD options jsonb NOT NULL DEFAULT '{}'`);
    await runner.query(`
      ALTER TABLE projects
        ADD ancestor_ids text[] NOT NULL DEFAULT '{}',
        ADD tags text[] NOT NULL DEFAULT '{}',
        ADD options jsonb NOT NULL DEFAULT '{}',
        ADD extra jsonb NOT NULL DEFAULT '{}',
        ADD CONSTRAINT projects_depth_check CHECK (cardinality(ancestor_ids) < 5),
        DROP CONSTRAINT projects_domain_id_fkey,
        ADD CONSTRAINT projects_domain_id_fkey
          FOREIGN KEY (domain_id) REFERENCES domains ON DELETE CASCADE`);
    await runner.query(`
      ALTER TABLE users
        ADD options jsonb NOT NULL DEFAULT '{}',
        ADD extra jsonb NOT NULL DEFAULT '{}',
        ADD password_set_at timestamptz,
        ADD password_self_set boolean NOT NULL DEFAULT false,
        ADD password_expires_at timestamptz,
        DROP CONSTRAINT users_domain_id_fkey,
        ADD CONSTRAINT users_domain_id_fkey
          FOREIGN KEY (domain_id) REFERENCES domains ON DELETE CASCADE`);
    await runner.query(
      'UPDATE users SET password_set_at = created_at WHERE password_hash IS NOT NULL',
    );
    // Nobody may lock out the services, or the first administrator, by guessing their passwords.
    await runner.query(`
      UPDATE users
         SET options = '{"ignore_lockout_failure_attempts": true, "ignore_password_expiry": true}'
       WHERE setting_digest IS NOT NULL
         AND id IN (SELECT user_id FROM role_assignments JOIN roles ON roles.id = role_id
                     WHERE roles.name IN ('service', 'admin'))`);
  }

  async #passwords(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE former_passwords (
        id text CONSTRAINT former_passwords_pkey PRIMARY KEY,
        user_id text NOT NULL
          CONSTRAINT former_passwords_user_id_fkey REFERENCES users ON DELETE CASCADE,
        password_hash text NOT NULL,
        replaced_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(
      'CREATE INDEX former_passwords_user_id_idx ON former_passwords (user_id, replaced_at)',
    );
    await runner.query(`
      CREATE TABLE login_failures (
        subject text CONSTRAINT login_failures_pkey PRIMARY KEY,
        failures integer NOT NULL,
        last_failed_at timestamptz NOT NULL
      )`);
    await runner.query(
      'CREATE INDEX login_failures_last_failed_at_idx ON login_failures (last_failed_at)',
    );
  }

  async #groups(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE groups (
        id text CONSTRAINT groups_pkey PRIMARY KEY,
        domain_id text NOT NULL
          CONSTRAINT groups_domain_id_fkey REFERENCES domains ON DELETE CASCADE,
        name text NOT NULL,
        description text NOT NULL DEFAULT '',
        extra jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT groups_domain_name_key UNIQUE (domain_id, name)
      )`);
    await runner.query(`
      CREATE TABLE group_members (
        group_id text CONSTRAINT group_members_group_id_fkey REFERENCES groups ON DELETE CASCADE,
        user_id text CONSTRAINT group_members_user_id_fkey REFERENCES users ON DELETE CASCADE,
        CONSTRAINT group_members_pkey PRIMARY KEY (group_id, user_id)
      )`);
    await runner.query('CREATE INDEX group_members_user_id_idx ON group_members (user_id)');
  }

  async #roles(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE roles
        ADD domain_id text CONSTRAINT roles_domain_id_fkey REFERENCES domains ON DELETE CASCADE,
        ADD options jsonb NOT NULL DEFAULT '{}',
        DROP CONSTRAINT roles_name_key`);
    await runner.query(
      'CREATE UNIQUE INDEX roles_name_key ON roles (name) WHERE domain_id IS NULL',
    );
    await runner.query(
      'CREATE UNIQUE INDEX roles_domain_name_key ON roles (domain_id, name) WHERE domain_id IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE role_inferences (
        prior_role_id text
          CONSTRAINT role_inferences_prior_role_id_fkey REFERENCES roles ON DELETE CASCADE,
        implied_role_id text
          CONSTRAINT role_inferences_implied_role_id_fkey REFERENCES roles ON DELETE CASCADE,
        CONSTRAINT role_inferences_pkey PRIMARY KEY (prior_role_id, implied_role_id),
        CONSTRAINT role_inferences_self_check CHECK (prior_role_id <> implied_role_id)
      )`);
    await runner.query(
      'CREATE INDEX role_inferences_implied_role_id_idx ON role_inferences (implied_role_id)',
    );
  }

  /** A role in use cannot be removed. */
  async #assignments(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE role_assignments
        ALTER user_id DROP NOT NULL,
        ADD group_id text
          CONSTRAINT role_assignments_group_id_fkey REFERENCES groups ON DELETE CASCADE,
        ADD inherited boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT role_assignments_actor_check CHECK (num_nonnulls(user_id, group_id) = 1),
        ADD CONSTRAINT role_assignments_inherited_check CHECK (NOT (inherited AND on_system)),
        DROP CONSTRAINT role_assignments_role_id_fkey,
        ADD CONSTRAINT role_assignments_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles`);
    await runner.query(`
      DROP INDEX role_assignments_project_key, role_assignments_domain_key,
                 role_assignments_system_key`);
    for (const actor of ['user', 'group']) {
      await runner.query(`
        CREATE UNIQUE INDEX role_assignments_${actor}_project_key
          ON role_assignments (${actor}_id, project_id, role_id, inherited)
          WHERE ${actor}_id IS NOT NULL AND project_id IS NOT NULL`);
      await runner.query(`
        CREATE UNIQUE INDEX role_assignments_${actor}_domain_key
          ON role_assignments (${actor}_id, domain_id, role_id, inherited)
          WHERE ${actor}_id IS NOT NULL AND domain_id IS NOT NULL`);
      await runner.query(`
        CREATE UNIQUE INDEX role_assignments_${actor}_system_key
          ON role_assignments (${actor}_id, role_id)
          WHERE ${actor}_id IS NOT NULL AND on_system`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM role_assignments WHERE group_id IS NOT NULL OR inherited');
    await runner.query(
      'DELETE FROM role_assignments WHERE role_id IN (SELECT id FROM roles WHERE domain_id IS NOT NULL)',
    );
    await runner.query(`
      ALTER TABLE role_assignments
        DROP group_id,
        DROP inherited,
        ALTER user_id SET NOT NULL,
        DROP CONSTRAINT role_assignments_role_id_fkey,
        ADD CONSTRAINT role_assignments_role_id_fkey
          FOREIGN KEY (role_id) REFERENCES roles ON DELETE CASCADE`);
    // The other indexes were dropped with the column `inherited`.
    await runner.query('DROP INDEX role_assignments_user_system_key');
    await runner.query(`
      CREATE UNIQUE INDEX role_assignments_project_key
        ON role_assignments (user_id, project_id, role_id) WHERE project_id IS NOT NULL`);
    await runner.query(`
      CREATE UNIQUE INDEX role_assignments_domain_key
        ON role_assignments (user_id, domain_id, role_id) WHERE domain_id IS NOT NULL`);
    await runner.query(`
      CREATE UNIQUE INDEX role_assignments_system_key
        ON role_assignments (user_id, role_id) WHERE on_system`);
    await runner.query('DELETE FROM roles WHERE domain_id IS NOT NULL');
    await runner.query('DROP INDEX roles_name_key, roles_domain_name_key');
    await runner.query(`
      ALTER TABLE roles DROP domain_id, DROP options,
        ADD CONSTRAINT roles_name_key UNIQUE (name)`);
    await runner.query(
      'DROP TABLE role_inferences, group_members, groups, login_failures, former_passwords',
    );
    await runner.query(`
      ALTER TABLE users DROP options, DROP extra, DROP password_set_at, DROP password_self_set,
        DROP password_expires_at,
        DROP CONSTRAINT users_domain_id_fkey,
        ADD CONSTRAINT users_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains`);
    await runner.query(`
      ALTER TABLE projects DROP ancestor_ids, DROP tags, DROP options, DROP extra,
        DROP CONSTRAINT projects_domain_id_fkey,
        ADD CONSTRAINT projects_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domains`);
    await runner.query('ALTER TABLE domains DROP tags, DROP options');
  }
}
