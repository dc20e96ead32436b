import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Flavors' ephemeral and swap disks, extra specs and access. */
export class WholeFlavors1796310000000 implements MigrationInterface {
  readonly name = 'WholeFlavors1796310000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE flavors
        ADD ephemeral_gb integer NOT NULL DEFAULT 0,
        ADD swap_mb integer NOT NULL DEFAULT 0,
        ADD rxtx_factor real NOT NULL DEFAULT 1,
        ADD extra_specs jsonb NOT NULL DEFAULT '{}',
        ADD created_at timestamptz NOT NULL DEFAULT now(),
        ADD updated_at timestamptz NOT NULL DEFAULT now(),
        ADD CONSTRAINT flavors_further_disks_check CHECK (ephemeral_gb >= 0 AND swap_mb >= 0)`);
    await runner.query(`
      CREATE TABLE flavor_projects (
        flavor_id text NOT NULL CONSTRAINT flavor_projects_flavor_fkey
          REFERENCES flavors (id) ON DELETE CASCADE,
        project_id text NOT NULL,
        CONSTRAINT flavor_projects_pkey PRIMARY KEY (flavor_id, project_id)
      )`);
    await runner.query('CREATE INDEX flavor_projects_project_idx ON flavor_projects (project_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE flavor_projects');
    await runner.query(`
      ALTER TABLE flavors DROP ephemeral_gb, DROP swap_mb, DROP rxtx_factor, DROP extra_specs,
        DROP created_at, DROP updated_at`);
  }
}
