import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RESOURCE, STATE } from './1796500000000-core.js';

/** Security groups, their rules, and the ports that are in them. */
export class SecurityGroups1796600000000 implements MigrationInterface {
  readonly name = 'SecurityGroups1796600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE security_groups (${RESOURCE}, ${STATE},
        stateful boolean NOT NULL DEFAULT true,
        is_default boolean NOT NULL DEFAULT false)`);
    await runner.query(
      'CREATE INDEX security_groups_project_idx ON security_groups (project_id, id)',
    );
    await runner.query(`
      CREATE UNIQUE INDEX security_groups_default_key ON security_groups (project_id)
       WHERE is_default`);
    await runner.query(`
      CREATE TABLE security_group_rules (${RESOURCE},
        security_group_id uuid NOT NULL CONSTRAINT security_group_rules_group_fkey
          REFERENCES security_groups ON DELETE CASCADE,
        direction text NOT NULL,
        ethertype text NOT NULL,
        protocol text,
        port_range_min integer,
        port_range_max integer,
        remote_ip_prefix text,
        remote_group_id uuid CONSTRAINT security_group_rules_remote_fkey
          REFERENCES security_groups ON DELETE CASCADE)`);
    await runner.query(
      'CREATE INDEX security_group_rules_project_idx ON security_group_rules (project_id, id)',
    );
    await runner.query(
      'CREATE INDEX security_group_rules_group_idx ON security_group_rules (security_group_id)',
    );
    await runner.query(
      'CREATE INDEX security_group_rules_remote_idx ON security_group_rules (remote_group_id)',
    );
    await runner.query(`
      CREATE UNIQUE INDEX security_group_rules_key ON security_group_rules (
        security_group_id, direction, ethertype, protocol, port_range_min, port_range_max,
        remote_ip_prefix, remote_group_id) NULLS NOT DISTINCT`);
    await runner.query(`
      CREATE TABLE port_security_groups (
        port_id uuid NOT NULL CONSTRAINT port_security_groups_port_fkey
          REFERENCES ports ON DELETE CASCADE,
        security_group_id uuid NOT NULL CONSTRAINT port_security_groups_group_fkey
          REFERENCES security_groups,
        position integer NOT NULL,
        CONSTRAINT port_security_groups_pkey PRIMARY KEY (port_id, security_group_id))`);
    await runner.query(
      'CREATE INDEX port_security_groups_group_idx ON port_security_groups (security_group_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE port_security_groups, security_group_rules, security_groups');
  }
}
