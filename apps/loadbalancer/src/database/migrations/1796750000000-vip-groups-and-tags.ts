import type { MigrationInterface, QueryRunner } from 'typeorm';

const TAGGED = [
  'load_balancers',
  'listeners',
  'pools',
  'members',
  'health_monitors',
  'l7_policies',
  'l7_rules',
];

/** Whether the groups of a VIP's port are to be set; and tags are sets, in the order that they are shown in. */
export class VipGroupsAndTags1796750000000 implements MigrationInterface {
  readonly name = 'VipGroupsAndTags1796750000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE load_balancers ADD COLUMN vip_groups_due boolean NOT NULL DEFAULT true',
    );
    // What runs has them.
    await runner.query(
      `UPDATE load_balancers SET vip_groups_due = false WHERE state IN ('active', 'pending_delete')`,
    );
    for (const table of TAGGED)
      await runner.query(
        `UPDATE ${table} SET tags = ARRAY(SELECT DISTINCT tag COLLATE "C" FROM unnest(tags) AS tag ORDER BY 1)
          WHERE cardinality(tags) > 1`,
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE load_balancers DROP COLUMN vip_groups_due');
  }
}
