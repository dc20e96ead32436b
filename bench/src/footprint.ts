/** What the idle cloud takes of a machine: memory of all its processes, and connections. */
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

export interface Footprint {
  /** Proportional set size: what processes share counts once among them. */
  readonly nodeBytes: number;
  readonly postgresBytes: number;
  /** To all databases, without the one that asks. */
  readonly connections: number;
}

/** @param databaseUrl of any database of the cluster, as its superuser */
export async function footprint(databaseUrl: string): Promise<Footprint> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number; own: boolean; connections: number }>(
      `SELECT pid, pid = pg_backend_pid() AS own,
              (count(*) FILTER (WHERE backend_type = 'client backend') OVER ())::int - 1 AS connections
         FROM pg_stat_activity`,
    );
    const backends = rows.filter(({ own }) => !own).map(({ pid }) => pid);
    const postmaster = await parentOf(backends[0] ?? 0);
    const others = await childrenOf(postmaster);
    const own = rows.find((row) => row.own)?.pid;
    const postgres = new Set([postmaster, ...others, ...backends]);
    const sizes = await Promise.all([...postgres].filter((pid) => pid !== own).map(pssOf));
    return {
      nodeBytes: await pssOf(process.pid),
      postgresBytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
      connections: rows[0]?.connections ?? 0,
    };
  } finally {
    await client.end();
  }
}

async function pssOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss: +(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
}

async function parentOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^PPid:\t(\d+)/m.exec(text)?.[1]);
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(pids.map((pid) => parentOf(pid).catch(() => 0)));
  return pids.filter((_, at) => parents[at] === parent);
}
