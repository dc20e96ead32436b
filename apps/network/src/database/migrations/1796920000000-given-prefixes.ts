import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['security_group_rules', 'default_security_group_rules'];

/** How a client wrote the addresses of a rule, where that is not their canonical form. */
export class GivenPrefixes1796920000000 implements MigrationInterface {
  readonly name = 'GivenPrefixes1796920000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(`ALTER TABLE ${table} ADD COLUMN given_ip_prefix text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(`ALTER TABLE ${table} DROP COLUMN given_ip_prefix`);
  }
}
