import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RESOURCE } from './1796500000000-core.js';

const KEY = `
  security_group_id, direction, ethertype, protocol, port_range_min, port_range_max,
  remote_ip_prefix, remote_group_id`;

/** Address groups, which rules of security groups may name. */
export class AddressGroups1796725000000 implements MigrationInterface {
  readonly name = 'AddressGroups1796725000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE address_groups (${RESOURCE}, addresses text[] NOT NULL DEFAULT '{}')`);
    await runner.query(
      'CREATE INDEX address_groups_project_idx ON address_groups (project_id, id)',
    );
    await runner.query(`
      ALTER TABLE security_group_rules
        ADD remote_address_group_id uuid
            CONSTRAINT security_group_rules_address_group_fkey REFERENCES address_groups`);
    await runner.query(`
      CREATE INDEX security_group_rules_address_group_idx
          ON security_group_rules (remote_address_group_id)`);
    await rekey(runner, `${KEY}, remote_address_group_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DELETE FROM security_group_rules WHERE remote_address_group_id IS NOT NULL',
    );
    await rekey(runner, KEY);
    await runner.query('ALTER TABLE security_group_rules DROP remote_address_group_id');
    await runner.query('DROP TABLE address_groups');
  }
}

async function rekey(runner: QueryRunner, columns: string): Promise<void> {
  await runner.query('DROP INDEX security_group_rules_key');
  await runner.query(`
    CREATE UNIQUE INDEX security_group_rules_key ON security_group_rules (${columns})
     NULLS NOT DISTINCT`);
}
