import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RESOURCE } from './1796500000000-core.js';

/**
 * The rules that new security groups begin with. The first four are Neutron's: all is let out, and
 * the ports of a default group reach each other.
 */
export class DefaultSecurityGroupRules1796730000000 implements MigrationInterface {
  readonly name = 'DefaultSecurityGroupRules1796730000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE default_security_group_rules (${RESOURCE},
        direction text NOT NULL,
        ethertype text NOT NULL,
        protocol text,
        port_range_min integer,
        port_range_max integer,
        remote_ip_prefix text,
        remote_group_id uuid CONSTRAINT default_security_group_rules_remote_fkey
          REFERENCES security_groups ON DELETE CASCADE,
        remote_is_parent boolean NOT NULL DEFAULT false,
        remote_address_group_id uuid
          CONSTRAINT default_security_group_rules_address_group_fkey REFERENCES address_groups,
        used_in_default_sg boolean NOT NULL DEFAULT false,
        used_in_non_default_sg boolean NOT NULL DEFAULT true)`);
    await runner.query(`
      CREATE INDEX default_security_group_rules_remote_idx
          ON default_security_group_rules (remote_group_id)`);
    await runner.query(`
      CREATE INDEX default_security_group_rules_address_group_idx
          ON default_security_group_rules (remote_address_group_id)`);
    await runner.query(`
      INSERT INTO default_security_group_rules (
        id, project_id, description, direction, ethertype, remote_is_parent,
        used_in_default_sg, used_in_non_default_sg)
      SELECT gen_random_uuid(), '', 'Legacy default SG rule for ' || direction || ' traffic',
             direction, ethertype, direction = 'ingress', true, direction = 'egress'
        FROM (VALUES ('egress'), ('ingress')) AS one (direction),
             (VALUES ('IPv4'), ('IPv6')) AS other (ethertype)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE default_security_group_rules');
  }
}
