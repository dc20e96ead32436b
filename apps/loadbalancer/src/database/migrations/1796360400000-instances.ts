import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What runs load balancers: which host has it, and since when. */
export class Instances1796360400000 implements MigrationInterface {
  readonly name = 'Instances1796360400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE instances (
        id uuid PRIMARY KEY,
        load_balancer_id uuid NOT NULL CONSTRAINT instances_load_balancer_key UNIQUE
          CONSTRAINT instances_load_balancer_fkey REFERENCES load_balancers ON DELETE CASCADE,
        host text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now())`);
    await runner.query(`
      INSERT INTO instances (id, load_balancer_id, host)
      SELECT gen_random_uuid(), id, host FROM load_balancers
       WHERE host IS NOT NULL AND state <> 'pending_create'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE instances');
  }
}
