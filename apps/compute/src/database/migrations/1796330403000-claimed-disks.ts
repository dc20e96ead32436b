import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts ephemeral and swap disks among the disk that a server claims, as in Nova. */
export class ClaimedDisks1796330403000 implements MigrationInterface {
  readonly name = 'ClaimedDisks1796330403000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION claimed_disk_gb(disk_gb integer, flavor jsonb) RETURNS integer
        LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT disk_gb + coalesce((flavor->>'ephemeralGb')::integer, 0)
             + (coalesce((flavor->>'swapMb')::integer, 0) + 1023) / 1024 $$`);
    const disk = (row: string): string => `claimed_disk_gb(${row}.disk_gb, ${row}.flavor)`;
    await countBy(runner, disk, 'host, vcpus, memory_mb, disk_gb, flavor');
    await countAfresh(runner, disk);
  }

  async down(runner: QueryRunner): Promise<void> {
    const disk = (row: string): string => `${row}.disk_gb`;
    await countBy(runner, disk, 'host, vcpus, memory_mb, disk_gb');
    await countAfresh(runner, disk);
    await runner.query('DROP FUNCTION claimed_disk_gb');
  }
}

type Disk = (row: string) => string;

// Sums of several hosts are locked by name, so that no two statements wait for each other.
const add = (rows: string): string => `
  INSERT INTO host_usage AS usage (host, vcpus, memory_mb, disk_gb)
  SELECT host, sum(vcpus), sum(memory_mb), sum(disk_gb) FROM (${rows}) AS change (host, vcpus, memory_mb, disk_gb)
   WHERE host IS NOT NULL GROUP BY host ORDER BY host
  ON CONFLICT (host) DO UPDATE SET vcpus = usage.vcpus + excluded.vcpus,
    memory_mb = usage.memory_mb + excluded.memory_mb, disk_gb = usage.disk_gb + excluded.disk_gb`;

const taken = (disk: Disk, row: string, sign = ''): string =>
  `SELECT ${row}.host, ${sign}${row}.vcpus, ${sign}${row}.memory_mb, ${sign}${disk(row)}`;

/** @param counted the columns of a server that a count depends on */
async function countBy(runner: QueryRunner, disk: Disk, counted: string): Promise<void> {
  const takes = taken(disk, 'NEW');
  const gives = taken(disk, 'OLD', '-');
  const functions = {
    count_inserted_servers: `${add(`${taken(disk, 'inserted')} FROM inserted`)};`,
    count_deleted_servers: `${add(`${taken(disk, 'deleted', '-')} FROM deleted`)};`,
    count_updated_server: `${add(`${gives} UNION ALL ${takes}`)};`,
    count_server_resize: `
      IF TG_OP = 'INSERT' THEN ${add(takes)};
      ELSIF TG_OP = 'DELETE' THEN ${add(gives)};
      ELSE ${add(`${gives} UNION ALL ${takes}`)};
      END IF;`,
  };
  for (const [name, body] of Object.entries(functions))
    await runner.query(`
      CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN ${body} RETURN NULL; END $$`);
  const of = (row: string): string =>
    counted
      .split(', ')
      .map((column) => `${row}.${column}`)
      .join(', ');
  await runner.query('DROP TRIGGER servers_updated ON servers');
  // Most updates change none of these, and then the trigger costs nothing.
  await runner.query(`
    CREATE TRIGGER servers_updated AFTER UPDATE ON servers FOR EACH ROW
      WHEN ((${of('OLD')}) IS DISTINCT FROM (${of('NEW')}))
      EXECUTE FUNCTION count_updated_server()`);
}

async function countAfresh(runner: QueryRunner, disk: Disk): Promise<void> {
  await runner.query('DELETE FROM host_usage');
  for (const table of ['servers', 'server_resizes'])
    await runner.query(add(`${taken(disk, table)} FROM ${table}`));
}
