import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Signals of wait condition handles, one row each. Those of before stay in the metadata of their
 * handles, which are encrypted: they are read together.
 */
export class Signals1798000200000 implements MigrationInterface {
  readonly name = 'Signals1798000200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE resource_signals (
        resource_id uuid NOT NULL
          CONSTRAINT resource_signals_resource_fkey REFERENCES stack_resources ON DELETE CASCADE,
        id text NOT NULL,
        position bigserial NOT NULL,
        is_failure boolean NOT NULL,
        bytes integer NOT NULL,
        content text NOT NULL,
        CONSTRAINT resource_signals_pkey PRIMARY KEY (resource_id, id))`);
    await runner.query(`
      CREATE TABLE signal_tallies (
        resource_id uuid CONSTRAINT signal_tallies_pkey PRIMARY KEY
          CONSTRAINT signal_tallies_resource_fkey REFERENCES stack_resources ON DELETE CASCADE,
        root_id uuid NOT NULL,
        signals integer NOT NULL,
        failures integer NOT NULL,
        bytes integer NOT NULL)`);
    await runner.query('CREATE INDEX signal_tallies_root_idx ON signal_tallies (root_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE signal_tallies, resource_signals');
  }
}
