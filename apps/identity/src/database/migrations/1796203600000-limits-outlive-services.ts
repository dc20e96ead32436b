import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A service or a region can be removed while there are registered limits of it, which then stay, as
 * in Keystone, whose tables do not refer to each other here.
 */
export class LimitsOutliveServices1796203600000 implements MigrationInterface {
  readonly name = 'LimitsOutliveServices1796203600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE registered_limits
        DROP CONSTRAINT registered_limits_service_id_fkey,
        DROP CONSTRAINT registered_limits_region_id_fkey`);
  }

  /** Not valid: limits of what has been removed meanwhile stay. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE registered_limits
        ADD CONSTRAINT registered_limits_service_id_fkey
          FOREIGN KEY (service_id) REFERENCES services NOT VALID,
        ADD CONSTRAINT registered_limits_region_id_fkey
          FOREIGN KEY (region_id) REFERENCES regions NOT VALID`);
  }
}
