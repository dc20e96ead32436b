import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the administrators of domains configure for them. */
export class DomainConfigs1795900000000 implements MigrationInterface {
  readonly name = 'DomainConfigs1795900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE domain_configs (
        domain_id text CONSTRAINT domain_configs_pkey PRIMARY KEY
          CONSTRAINT domain_configs_domain_id_fkey REFERENCES domains ON DELETE CASCADE,
        sealed_config text NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE domain_configs');
  }
}
