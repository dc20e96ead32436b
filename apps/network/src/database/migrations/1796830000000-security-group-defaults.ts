import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What new security groups are that do not say. */
export class SecurityGroupDefaults1796830000000 implements MigrationInterface {
  readonly name = 'SecurityGroupDefaults1796830000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE security_group_defaults (
        id uuid CONSTRAINT security_group_defaults_pkey PRIMARY KEY,
        project_id text,
        stateful boolean NOT NULL DEFAULT true)`);
    await runner.query(`
      CREATE UNIQUE INDEX security_group_defaults_key
          ON security_group_defaults (COALESCE(project_id, ''))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE security_group_defaults');
  }
}
