import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A port is seen by the project of its network as well. With that project in the row, both kinds of
 * ports are found by an index, in the order of a page. No network changes hands.
 */
export class PortVisibility1796790000000 implements MigrationInterface {
  readonly name = 'PortVisibility1796790000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ports ADD network_project_id text NOT NULL DEFAULT ''`);
    await runner.query(`
      UPDATE ports SET network_project_id = networks.project_id
        FROM networks WHERE networks.id = network_id`);
    await runner.query('CREATE INDEX ports_network_project_idx ON ports (network_project_id, id)');
    await runner.query(`
      CREATE FUNCTION name_project_of_network() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT COALESCE(max(project_id), '') INTO NEW.network_project_id
          FROM networks WHERE id = NEW.network_id;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER ports_inserted BEFORE INSERT ON ports
        FOR EACH ROW EXECUTE FUNCTION name_project_of_network()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER ports_inserted ON ports');
    await runner.query('DROP FUNCTION name_project_of_network');
    await runner.query('ALTER TABLE ports DROP network_project_id');
  }
}
