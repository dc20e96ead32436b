import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What secrets and containers have in common. */
const OWNED = `
  project_id text NOT NULL,
  creator_id text NOT NULL,
  name text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  project_access boolean NOT NULL DEFAULT true,
  acl_users text[] NOT NULL DEFAULT '{}',
  acl_created_at timestamptz(3),
  acl_updated_at timestamptz(3)`;

/** Secrets with their payloads, containers, and what uses either. */
export class Core1796350000000 implements MigrationInterface {
  readonly name = 'Core1796350000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE secrets (
        id uuid CONSTRAINT secrets_pkey PRIMARY KEY,
        ${OWNED},
        secret_type text NOT NULL CONSTRAINT secrets_secret_type_check CHECK (secret_type IN
          ('symmetric', 'public', 'private', 'passphrase', 'certificate', 'opaque')),
        content_type text,
        algorithm text,
        bit_length integer,
        mode text,
        expiration timestamptz(3),
        user_metadata jsonb NOT NULL DEFAULT '{}'
      )`);
    await runner.query(
      'CREATE INDEX secrets_project_id_created_at ON secrets (project_id, created_at, id)',
    );
    await runner.query(
      'CREATE INDEX secrets_expiration ON secrets (expiration) WHERE expiration IS NOT NULL',
    );
    await runner.query('CREATE INDEX secrets_acl_users ON secrets USING gin (acl_users)');
    await runner.query(`
      CREATE TABLE secret_payloads (
        secret_id uuid CONSTRAINT secret_payloads_pkey PRIMARY KEY
          CONSTRAINT secret_payloads_secret_id_fkey REFERENCES secrets ON DELETE CASCADE,
        key_id text NOT NULL,
        sealed bytea NOT NULL
      )`);
    await runner.query('CREATE INDEX secret_payloads_key_id ON secret_payloads (key_id)');
    await runner.query(`
      CREATE TABLE containers (
        id uuid CONSTRAINT containers_pkey PRIMARY KEY,
        ${OWNED},
        type text NOT NULL CONSTRAINT containers_type_check
          CHECK (type IN ('generic', 'rsa', 'certificate'))
      )`);
    await runner.query(
      'CREATE INDEX containers_project_id_created_at ON containers (project_id, created_at, id)',
    );
    await runner.query('CREATE INDEX containers_acl_users ON containers USING gin (acl_users)');
    await runner.query(`
      CREATE TABLE container_secrets (
        container_id uuid CONSTRAINT container_secrets_container_id_fkey
          REFERENCES containers ON DELETE CASCADE,
        name text,
        secret_id uuid NOT NULL CONSTRAINT container_secrets_secret_id_fkey
          REFERENCES secrets ON DELETE CASCADE,
        position integer NOT NULL,
        CONSTRAINT container_secrets_pkey PRIMARY KEY (container_id, name)
      )`);
    await runner.query('CREATE INDEX container_secrets_secret_id ON container_secrets (secret_id)');
    await this.#consumers(runner, 'secret', ['service', 'resource_type', 'resource_id']);
    await this.#consumers(runner, 'container', ['name', 'url']);
  }

  async #consumers(runner: QueryRunner, of: string, names: readonly string[]): Promise<void> {
    const table = `${of}_consumers`;
    await runner.query(`
      CREATE TABLE ${table} (
        id uuid DEFAULT gen_random_uuid() CONSTRAINT ${table}_pkey PRIMARY KEY,
        ${of}_id uuid NOT NULL
          CONSTRAINT ${table}_${of}_id_fkey REFERENCES ${of}s ON DELETE CASCADE,
        ${names.map((name) => `${name} text NOT NULL`).join(', ')},
        project_id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT ${table}_key UNIQUE (${[`${of}_id`, ...names].join(', ')})
      )`);
    await runner.query(`CREATE INDEX ${table}_${of}_id ON ${table} (${of}_id, created_at, id)`);
    await runner.query(`CREATE INDEX ${table}_project_id ON ${table} (project_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = ['container_consumers', 'secret_consumers', 'container_secrets', 'containers'];
    for (const table of [...tables, 'secret_payloads', 'secrets'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
