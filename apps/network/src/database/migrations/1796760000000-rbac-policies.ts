import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RESOURCE } from './1796500000000-core.js';

/** Policies that give projects access to networks; those of everyone stood in columns before. */
export class RbacPolicies1796760000000 implements MigrationInterface {
  readonly name = 'RbacPolicies1796760000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE rbac_policies (${RESOURCE},
        object_type text NOT NULL DEFAULT 'network'
          CONSTRAINT rbac_policies_type_check CHECK (object_type = 'network'),
        object_id uuid NOT NULL
          CONSTRAINT rbac_policies_network_fkey REFERENCES networks ON DELETE CASCADE,
        action text NOT NULL,
        target_tenant text NOT NULL)`);
    await runner.query('CREATE INDEX rbac_policies_project_idx ON rbac_policies (project_id, id)');
    await runner.query(
      'CREATE INDEX rbac_policies_target_idx ON rbac_policies (target_tenant, object_id)',
    );
    await runner.query(`
      CREATE UNIQUE INDEX rbac_policies_object_key
          ON rbac_policies (object_id, action, target_tenant)`);
    // Policies say who sees what.
    await runner.query('DROP INDEX networks_shared_idx');
    await runner.query(`
      INSERT INTO rbac_policies (id, project_id, object_id, action, target_tenant)
      SELECT gen_random_uuid(), project_id, id, 'access_as_shared', '*'
        FROM networks WHERE shared
       UNION ALL
      SELECT gen_random_uuid(), project_id, id, 'access_as_external', '*'
        FROM networks WHERE is_external`);
  }

  /** What was for some projects is for their own alone afterwards. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE networks SET is_external = false
       WHERE is_external AND id NOT IN (
         SELECT object_id FROM rbac_policies
          WHERE action = 'access_as_external' AND target_tenant = '*')`);
    await runner.query('DROP TABLE rbac_policies');
    await runner.query(
      'CREATE INDEX networks_shared_idx ON networks (id) WHERE shared OR is_external',
    );
  }
}
