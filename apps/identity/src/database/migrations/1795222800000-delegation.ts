import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ways to act for a user without its password: trusts, application credentials, and credentials
 * for services of another kind; keys that are published before they sign.
 */
export class Delegation1795222800000 implements MigrationInterface {
  readonly name = 'Delegation1795222800000';

  async up(runner: QueryRunner): Promise<void> {
    await this.#trusts(runner);
    await this.#applicationCredentials(runner);
    await this.#accessRules(runner);
    await runner.query(`
      CREATE TABLE credentials (
        id text CONSTRAINT credentials_pkey PRIMARY KEY,
        user_id text NOT NULL
          CONSTRAINT credentials_user_id_fkey REFERENCES users ON DELETE CASCADE,
        project_id text
          CONSTRAINT credentials_project_id_fkey REFERENCES projects ON DELETE CASCADE,
        type text NOT NULL,
        sealed_blob text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE INDEX credentials_user_id_idx ON credentials (user_id, type)');
    await runner.query('CREATE INDEX credentials_project_id_idx ON credentials (project_id)');
    // The token lifetime of earlier keys is unknown: assume the longest possible.
    await runner.query(`
      ALTER TABLE signing_keys
        ADD signs_from timestamptz NOT NULL DEFAULT now(),
        ADD token_lifetime integer NOT NULL DEFAULT 604800`);
    await runner.query('ALTER TABLE revocations ADD trust_id text, ADD credential_id text');
  }

  async #trusts(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE trusts (
        id text CONSTRAINT trusts_pkey PRIMARY KEY,
        trustor_user_id text NOT NULL
          CONSTRAINT trusts_trustor_user_id_fkey REFERENCES users ON DELETE CASCADE,
        trustee_user_id text NOT NULL
          CONSTRAINT trusts_trustee_user_id_fkey REFERENCES users ON DELETE CASCADE,
        project_id text CONSTRAINT trusts_project_id_fkey REFERENCES projects ON DELETE CASCADE,
        impersonation boolean NOT NULL,
        expires_at timestamptz,
        remaining_uses integer,
        redelegated_trust_id text
          CONSTRAINT trusts_redelegated_trust_id_fkey REFERENCES trusts ON DELETE CASCADE,
        redelegation_count integer NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT trusts_remaining_uses_check CHECK (remaining_uses >= 0)
      )`);
    await runner.query('CREATE INDEX trusts_trustor_user_id_idx ON trusts (trustor_user_id)');
    await runner.query('CREATE INDEX trusts_trustee_user_id_idx ON trusts (trustee_user_id)');
    await runner.query('CREATE INDEX trusts_project_id_idx ON trusts (project_id)');
    await runner.query(
      'CREATE INDEX trusts_redelegated_trust_id_idx ON trusts (redelegated_trust_id)',
    );
    await runner.query(`
      CREATE TABLE trust_roles (
        trust_id text CONSTRAINT trust_roles_trust_id_fkey REFERENCES trusts ON DELETE CASCADE,
        role_id text CONSTRAINT trust_roles_role_id_fkey REFERENCES roles ON DELETE CASCADE,
        CONSTRAINT trust_roles_pkey PRIMARY KEY (trust_id, role_id)
      )`);
    await runner.query('CREATE INDEX trust_roles_role_id_idx ON trust_roles (role_id)');
  }

  async #applicationCredentials(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE application_credentials (
        id text CONSTRAINT application_credentials_pkey PRIMARY KEY,
        user_id text NOT NULL
          CONSTRAINT application_credentials_user_id_fkey REFERENCES users ON DELETE CASCADE,
        project_id text NOT NULL
          CONSTRAINT application_credentials_project_id_fkey REFERENCES projects ON DELETE CASCADE,
        name text NOT NULL,
        description text,
        secret_hash text NOT NULL,
        unrestricted boolean NOT NULL DEFAULT false,
        has_rules boolean NOT NULL DEFAULT false,
        expires_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT application_credentials_user_name_key UNIQUE (user_id, name)
      )`);
    await runner.query(
      'CREATE INDEX application_credentials_project_id_idx ON application_credentials (project_id)',
    );
    await runner.query(`
      CREATE TABLE application_credential_roles (
        application_credential_id text
          CONSTRAINT application_credential_roles_credential_fkey
          REFERENCES application_credentials ON DELETE CASCADE,
        role_id text
          CONSTRAINT application_credential_roles_role_id_fkey REFERENCES roles ON DELETE CASCADE,
        CONSTRAINT application_credential_roles_pkey
          PRIMARY KEY (application_credential_id, role_id)
      )`);
    await runner.query(
      'CREATE INDEX application_credential_roles_role_id_idx ON application_credential_roles (role_id)',
    );
  }

  /** A rule that a credential uses cannot be removed. */
  async #accessRules(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE access_rules (
        id text CONSTRAINT access_rules_pkey PRIMARY KEY,
        user_id text NOT NULL
          CONSTRAINT access_rules_user_id_fkey REFERENCES users ON DELETE CASCADE,
        service text NOT NULL,
        method text NOT NULL,
        path text NOT NULL,
        CONSTRAINT access_rules_user_rule_key UNIQUE (user_id, service, method, path)
      )`);
    await runner.query(`
      CREATE TABLE application_credential_access_rules (
        application_credential_id text
          CONSTRAINT application_credential_access_rules_credential_fkey
          REFERENCES application_credentials ON DELETE CASCADE,
        access_rule_id text
          CONSTRAINT application_credential_access_rules_rule_fkey REFERENCES access_rules,
        CONSTRAINT application_credential_access_rules_pkey
          PRIMARY KEY (application_credential_id, access_rule_id)
      )`);
    await runner.query(
      'CREATE INDEX application_credential_access_rules_rule_idx ON application_credential_access_rules (access_rule_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE revocations DROP trust_id, DROP credential_id');
    await runner.query('ALTER TABLE signing_keys DROP signs_from, DROP token_lifetime');
    await runner.query(
      `DROP TABLE credentials, application_credential_access_rules, access_rules,
                  application_credential_roles, application_credentials, trust_roles, trusts`,
    );
  }
}
