import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['floating_ips', 'routers'];

/** QoS policies of floating IPs, and of routers' gateways. */
export class ExternalQos1796850000000 implements MigrationInterface {
  readonly name = 'ExternalQos1796850000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`
        ALTER TABLE ${table} ADD COLUMN qos_policy_id uuid
          CONSTRAINT ${table}_qos_policy_fkey REFERENCES qos_policies`);
      await runner.query(`CREATE INDEX ${table}_qos_policy_idx ON ${table} (qos_policy_id)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(`ALTER TABLE ${table} DROP COLUMN qos_policy_id`);
  }
}
