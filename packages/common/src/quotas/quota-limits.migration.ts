import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Limits other than those of the settings, in the database of every service with quotas. */
export class QuotaLimits1796300000000 implements MigrationInterface {
  readonly name = 'QuotaLimits1796300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE quota_limits (
        project_id text,
        resource text,
        resource_limit bigint NOT NULL
          CONSTRAINT quota_limits_limit_check CHECK (resource_limit >= -1),
        CONSTRAINT quota_limits_pkey PRIMARY KEY (project_id, resource)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE quota_limits');
  }
}
