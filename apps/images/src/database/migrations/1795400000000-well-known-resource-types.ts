import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By their names in orchestration, as Glance's own definitions associate them. */
const NAMES = [
  'OS::Cinder::Volume',
  'OS::Glance::Image',
  'OS::Nova::Aggregate',
  'OS::Nova::Flavor',
  'OS::Nova::Server',
];

/** Lets clients offer these types before anybody has associated one. */
export class WellKnownResourceTypes1795400000000 implements MigrationInterface {
  readonly name = 'WellKnownResourceTypes1795400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `INSERT INTO metadef_resource_types (name) SELECT unnest($1::text[])
       ON CONFLICT DO NOTHING`,
      [NAMES],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DELETE FROM metadef_resource_types AS type WHERE name = ANY($1::text[])
         AND NOT EXISTS (SELECT FROM metadef_associations WHERE name = type.name)`,
      [NAMES],
    );
  }
}
