import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What administrators offer load balancers to be: flavors, availability zones, and their profiles. */
export class Offers1796360300000 implements MigrationInterface {
  readonly name = 'Offers1796360300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE flavor_profiles (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        provider_name text NOT NULL,
        flavor_data text NOT NULL)`);
    await runner.query(`
      CREATE TABLE flavors (
        id uuid PRIMARY KEY,
        name text NOT NULL CONSTRAINT flavors_name_key UNIQUE,
        description text,
        enabled boolean NOT NULL DEFAULT true,
        flavor_profile_id uuid NOT NULL
          CONSTRAINT flavors_flavor_profile_fkey REFERENCES flavor_profiles)`);
    await runner.query(`
      CREATE TABLE availability_zone_profiles (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        provider_name text NOT NULL,
        availability_zone_data text NOT NULL)`);
    await runner.query(`
      CREATE TABLE availability_zones (
        name text PRIMARY KEY,
        description text,
        enabled boolean NOT NULL DEFAULT true,
        availability_zone_profile_id uuid NOT NULL CONSTRAINT availability_zones_profile_fkey
          REFERENCES availability_zone_profiles)`);
    await runner.query(`
      ALTER TABLE load_balancers
        ADD CONSTRAINT load_balancers_flavor_fkey FOREIGN KEY (flavor_id) REFERENCES flavors,
        ADD CONSTRAINT load_balancers_availability_zone_fkey
          FOREIGN KEY (availability_zone) REFERENCES availability_zones`);
    await runner.query(`ALTER TABLE hosts ADD COLUMN zone text NOT NULL DEFAULT 'nova'`);
    const indexes = [
      'flavors_flavor_profile_idx ON flavors (flavor_profile_id)',
      'availability_zones_profile_idx ON availability_zones (availability_zone_profile_id)',
      'load_balancers_flavor_idx ON load_balancers (flavor_id)',
      'load_balancers_availability_zone_idx ON load_balancers (availability_zone)',
    ];
    for (const one of indexes) await runner.query(`CREATE INDEX ${one}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE hosts DROP COLUMN zone');
    await runner.query(
      'DROP INDEX load_balancers_flavor_idx, load_balancers_availability_zone_idx',
    );
    await runner.query(`
      ALTER TABLE load_balancers DROP CONSTRAINT load_balancers_flavor_fkey,
        DROP CONSTRAINT load_balancers_availability_zone_fkey`);
    await runner.query(
      'DROP TABLE availability_zones, availability_zone_profiles, flavors, flavor_profiles',
    );
  }
}
