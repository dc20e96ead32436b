import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What stood in columns alone, as networks' did once. */
const SHARED = {
  qos_policy: 'qos_policies',
  subnetpool: 'subnetpools',
  address_scope: 'address_scopes',
};

/** Policies that give projects access to more than networks. */
export class RbacObjectTypes1796795000000 implements MigrationInterface {
  readonly name = 'RbacObjectTypes1796795000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE rbac_policies
        DROP CONSTRAINT rbac_policies_network_fkey,
        DROP CONSTRAINT rbac_policies_type_check,
        ADD CONSTRAINT rbac_policies_type_check CHECK (object_type IN ('network', 'qos_policy',
          'subnetpool', 'address_scope', 'address_group', 'security_group'))`);
    for (const [type, table] of Object.entries(SHARED)) {
      await runner.query(`
        INSERT INTO rbac_policies (id, project_id, object_type, object_id, action, target_tenant)
        SELECT gen_random_uuid(), project_id, '${type}', id, 'access_as_shared', '*'
          FROM ${table} WHERE shared`);
      // Policies say who sees what.
      await runner.query(`DROP INDEX ${table}_shared_idx`);
    }
  }

  /** What was for some projects is for their own alone afterwards. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM rbac_policies WHERE object_type <> 'network'");
    for (const table of Object.values(SHARED))
      await runner.query(`CREATE INDEX ${table}_shared_idx ON ${table} (id) WHERE shared`);
    await runner.query(`
      ALTER TABLE rbac_policies
        DROP CONSTRAINT rbac_policies_type_check,
        ADD CONSTRAINT rbac_policies_type_check CHECK (object_type = 'network'),
        ADD CONSTRAINT rbac_policies_network_fkey
          FOREIGN KEY (object_id) REFERENCES networks ON DELETE CASCADE`);
  }
}
