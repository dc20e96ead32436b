import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Regions, services and endpoints, the parts of the catalog; limits of projects. */
export class Catalog1795226400000 implements MigrationInterface {
  readonly name = 'Catalog1795226400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE regions (
        id text CONSTRAINT regions_pkey PRIMARY KEY,
        parent_region_id text CONSTRAINT regions_parent_region_id_fkey REFERENCES regions,
        description text NOT NULL DEFAULT '',
        extra jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE INDEX regions_parent_region_id_idx ON regions (parent_region_id)');
    await runner.query(`
      CREATE TABLE services (
        id text CONSTRAINT services_pkey PRIMARY KEY,
        type text NOT NULL,
        name text NOT NULL DEFAULT '',
        description text NOT NULL DEFAULT '',
        enabled boolean NOT NULL DEFAULT true,
        extra jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE INDEX services_type_idx ON services (type)');
    await runner.query(`
      CREATE TABLE endpoints (
        id text CONSTRAINT endpoints_pkey PRIMARY KEY,
        service_id text NOT NULL
          CONSTRAINT endpoints_service_id_fkey REFERENCES services ON DELETE CASCADE,
        region_id text CONSTRAINT endpoints_region_id_fkey REFERENCES regions,
        interface text NOT NULL,
        url text NOT NULL,
        enabled boolean NOT NULL DEFAULT true,
        setting_url text,
        extra jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT endpoints_interface_check CHECK (interface IN ('public', 'internal', 'admin'))
      )`);
    await runner.query('CREATE INDEX endpoints_service_id_idx ON endpoints (service_id)');
    await runner.query('CREATE INDEX endpoints_region_id_idx ON endpoints (region_id)');
    await this.#limits(runner);
  }

  async #limits(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE registered_limits (
        id text CONSTRAINT registered_limits_pkey PRIMARY KEY,
        service_id text NOT NULL CONSTRAINT registered_limits_service_id_fkey REFERENCES services,
        region_id text CONSTRAINT registered_limits_region_id_fkey REFERENCES regions,
        resource_name text NOT NULL,
        default_limit integer NOT NULL,
        description text,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX registered_limits_region_key
        ON registered_limits (service_id, resource_name, region_id) WHERE region_id IS NOT NULL`);
    await runner.query(`
      CREATE UNIQUE INDEX registered_limits_key
        ON registered_limits (service_id, resource_name) WHERE region_id IS NULL`);
    await runner.query(
      'CREATE INDEX registered_limits_region_id_idx ON registered_limits (region_id)',
    );
    await runner.query(`
      CREATE TABLE limits (
        id text CONSTRAINT limits_pkey PRIMARY KEY,
        registered_limit_id text NOT NULL
          CONSTRAINT limits_registered_limit_id_fkey REFERENCES registered_limits,
        project_id text CONSTRAINT limits_project_id_fkey REFERENCES projects ON DELETE CASCADE,
        domain_id text CONSTRAINT limits_domain_id_fkey REFERENCES domains ON DELETE CASCADE,
        resource_limit integer NOT NULL,
        description text,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT limits_owner_check CHECK (num_nonnulls(project_id, domain_id) = 1)
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX limits_project_key
        ON limits (project_id, registered_limit_id) WHERE project_id IS NOT NULL`);
    await runner.query(`
      CREATE UNIQUE INDEX limits_domain_key
        ON limits (domain_id, registered_limit_id) WHERE domain_id IS NOT NULL`);
    await runner.query(
      'CREATE INDEX limits_registered_limit_id_idx ON limits (registered_limit_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE limits, registered_limits, endpoints, services, regions');
  }
}
