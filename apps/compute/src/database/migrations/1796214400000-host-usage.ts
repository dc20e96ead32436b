import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sums of what each host's servers take, kept by triggers, so that placements read no servers. */
export class HostUsage1796214400000 implements MigrationInterface {
  readonly name = 'HostUsage1796214400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE host_usage (
        host text CONSTRAINT host_usage_pkey PRIMARY KEY,
        vcpus bigint NOT NULL,
        memory_mb bigint NOT NULL,
        disk_gb bigint NOT NULL
      )`);
    // Sums of several hosts are locked by name, so that no two statements wait for each other.
    const add = (rows: string): string => `
      INSERT INTO host_usage AS usage (host, vcpus, memory_mb, disk_gb)
      SELECT host, sum(vcpus), sum(memory_mb), sum(disk_gb) FROM (${rows}) AS change (host, vcpus, memory_mb, disk_gb)
       WHERE host IS NOT NULL GROUP BY host ORDER BY host
      ON CONFLICT (host) DO UPDATE SET vcpus = usage.vcpus + excluded.vcpus,
        memory_mb = usage.memory_mb + excluded.memory_mb, disk_gb = usage.disk_gb + excluded.disk_gb`;
    const takenBy = (row: string): string =>
      `SELECT ${row}.host, ${row}.vcpus, ${row}.memory_mb, ${row}.disk_gb`;
    const givenUpBy = (row: string): string =>
      `SELECT ${row}.host, -${row}.vcpus, -${row}.memory_mb, -${row}.disk_gb`;
    await runner.query(add(`${takenBy('servers')} FROM servers`));
    const functions = {
      count_inserted_servers: `${takenBy('inserted')} FROM inserted`,
      count_deleted_servers: `${givenUpBy('deleted')} FROM deleted`,
      count_updated_server: `${givenUpBy('OLD')} UNION ALL ${takenBy('NEW')}`,
    };
    for (const [name, rows] of Object.entries(functions)) {
      await runner.query(`
        CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN ${add(rows)}; RETURN NULL; END $$`);
    }
    await runner.query(`
      CREATE TRIGGER servers_inserted AFTER INSERT ON servers REFERENCING NEW TABLE AS inserted
        FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_servers()`);
    await runner.query(`
      CREATE TRIGGER servers_deleted AFTER DELETE ON servers REFERENCING OLD TABLE AS deleted
        FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_servers()`);
    // Most updates change none of these, and then the trigger costs nothing.
    await runner.query(`
      CREATE TRIGGER servers_updated AFTER UPDATE ON servers FOR EACH ROW
        WHEN ((OLD.host, OLD.vcpus, OLD.memory_mb, OLD.disk_gb)
              IS DISTINCT FROM (NEW.host, NEW.vcpus, NEW.memory_mb, NEW.disk_gb))
        EXECUTE FUNCTION count_updated_server()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const event of ['inserted', 'deleted', 'updated'])
      await runner.query(`DROP TRIGGER servers_${event} ON servers`);
    await runner.query(
      'DROP FUNCTION count_inserted_servers, count_deleted_servers, count_updated_server',
    );
    await runner.query('DROP TABLE host_usage');
  }
}
