import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RESOURCE, STATE } from './1796500000000-core.js';

/** QoS policies with their rules, and the networks and ports that have one. */
export class Qos1796745000000 implements MigrationInterface {
  readonly name = 'Qos1796745000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE qos_policies (${RESOURCE}, ${STATE},
        shared boolean NOT NULL DEFAULT false,
        is_default boolean NOT NULL DEFAULT false)`);
    await runner.query('CREATE INDEX qos_policies_project_idx ON qos_policies (project_id, id)');
    await runner.query('CREATE INDEX qos_policies_shared_idx ON qos_policies (id) WHERE shared');
    await runner.query(
      'CREATE UNIQUE INDEX qos_policies_default_key ON qos_policies (project_id) WHERE is_default',
    );
    await runner.query(`
      CREATE TABLE qos_rules (
        id uuid CONSTRAINT qos_rules_pkey PRIMARY KEY,
        policy_id uuid NOT NULL
          CONSTRAINT qos_rules_policy_fkey REFERENCES qos_policies ON DELETE CASCADE,
        type text NOT NULL,
        direction text,
        settings jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now())`);
    await runner.query(`
      CREATE UNIQUE INDEX qos_rules_key ON qos_rules (policy_id, type, direction)
       NULLS NOT DISTINCT`);
    for (const table of ['networks', 'ports']) {
      await runner.query(`
        ALTER TABLE ${table}
          ADD qos_policy_id uuid CONSTRAINT ${table}_qos_policy_fkey REFERENCES qos_policies`);
      await runner.query(`CREATE INDEX ${table}_qos_policy_idx ON ${table} (qos_policy_id)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['networks', 'ports'])
      await runner.query(`ALTER TABLE ${table} DROP qos_policy_id`);
    await runner.query('DROP TABLE qos_rules, qos_policies');
  }
}
