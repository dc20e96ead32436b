import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The other half of a resize: first its target; from the claim to the confirmation, its origin. */
export class ServerResizes1796330220000 implements MigrationInterface {
  readonly name = 'ServerResizes1796330220000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE servers ADD returns_to text
        CONSTRAINT servers_returns_to_check CHECK (returns_to IN ('active', 'stopped'))`);
    await runner.query(`
      CREATE TABLE server_resizes (
        server_id uuid CONSTRAINT server_resizes_pkey PRIMARY KEY
          CONSTRAINT server_resizes_server_fkey REFERENCES servers (id) ON DELETE CASCADE,
        host text,
        flavor jsonb NOT NULL,
        vcpus integer NOT NULL,
        memory_mb integer NOT NULL,
        disk_gb integer NOT NULL
      )`);
    const add = (rows: string): string => `
      INSERT INTO host_usage AS usage (host, vcpus, memory_mb, disk_gb)
      SELECT host, sum(vcpus), sum(memory_mb), sum(disk_gb) FROM (${rows}) AS change (host, vcpus, memory_mb, disk_gb)
       WHERE host IS NOT NULL GROUP BY host ORDER BY host
      ON CONFLICT (host) DO UPDATE SET vcpus = usage.vcpus + excluded.vcpus,
        memory_mb = usage.memory_mb + excluded.memory_mb, disk_gb = usage.disk_gb + excluded.disk_gb`;
    const takes = 'SELECT NEW.host, NEW.vcpus, NEW.memory_mb, NEW.disk_gb';
    const gives = 'SELECT OLD.host, -OLD.vcpus, -OLD.memory_mb, -OLD.disk_gb';
    await runner.query(`
      CREATE FUNCTION count_server_resize() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN ${add(takes)};
        ELSIF TG_OP = 'DELETE' THEN ${add(gives)};
        ELSE ${add(`${gives} UNION ALL ${takes}`)};
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER server_resizes_counted AFTER INSERT OR UPDATE OR DELETE ON server_resizes
        FOR EACH ROW EXECUTE FUNCTION count_server_resize()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE server_resizes');
    await runner.query('DROP FUNCTION count_server_resize');
    await runner.query('ALTER TABLE servers DROP returns_to');
  }
}
