/**
 * Data folders as earlier builds left them, packed by scripts/record-data-folder.mjs. Their databases
 * are SQL, so that any Postgres takes them.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { startCluster, type Cluster } from '@cumulet/embedded-postgres/cluster';

const RECORDINGS = fileURLToPath(new URL('.', import.meta.url));
const SUFFIX = '.tgz';
const SERVICES = ['identity', 'images', 'compute'];
const run = promisify(execFile);

/** What clients of the recorded cloud knew: see scripts/lib/recorded-things.mjs. */
export interface RecordedThings {
  /** The id of the key that signed its tokens. */
  readonly kid: string;
  readonly users: readonly { readonly name: string; readonly password: string }[];
  readonly images: readonly { readonly id: string; readonly sha256: string }[];
  readonly servers: readonly { readonly id: string; readonly status: string }[];
  /** A trust of `recorded`, in its project, whose trustee is demo. */
  readonly trust: { readonly id: string };
  readonly application: { readonly id: string; readonly secret: string };
  readonly ec2: { readonly user: string; readonly access: string; readonly secret: string };
}

export interface RecordedFolder {
  /** The data folder; its cloud does not run. */
  readonly path: string;
  readonly things: RecordedThings;
  /** Of each table, as they were before the first start of this build. */
  readonly rows: Rows;
  remove(): Promise<void>;
}

type Row = Readonly<Record<string, unknown>>;
/** Rows by `service.table`. */
export type Rows = ReadonlyMap<string, readonly Row[]>;

/** `2026-11-22-680a3e9`: the day and the commit of the build. */
export async function recordings(): Promise<string[]> {
  const names = await readdir(RECORDINGS);
  return names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
}

/** @param services whose databases it gets */
export async function unpack(recording: string, services = SERVICES): Promise<RecordedFolder> {
  const work = await mkdtemp(join(tmpdir(), 'cumulet-recorded-'));
  await run('tar', ['-xzf', join(RECORDINGS, recording + SUFFIX), '-C', work]);
  const path = join(work, 'folder');
  const cluster = await startCluster({
    folder: join(path, 'postgres'),
    durable: false,
    log: () => undefined,
  });
  try {
    for (const service of services) await load(cluster, service, join(work, `${service}.sql`));
    // A cloud of yesterday: otherwise a new key signs as soon as the recording is a month old.
    await query(
      cluster.url('cumulet_identity'),
      `UPDATE signing_keys SET signs_from = now() - interval '1 day'`,
    );
    return {
      path,
      things: JSON.parse(await readFile(join(work, 'things.json'), 'utf8')) as RecordedThings,
      rows: await readRows(services, (database) => cluster.url(database)),
      remove: () => rm(work, { recursive: true }),
    };
  } finally {
    await cluster.stop();
  }
}

async function load(cluster: Cluster, service: string, file: string): Promise<void> {
  await cluster.ensureDatabase(`cumulet_${service}`);
  await query(cluster.url(`cumulet_${service}`), await readFile(file, 'utf8'));
}

/** The rows of a folder whose cloud runs. */
export async function rowsOf({ path }: RecordedFolder): Promise<Rows> {
  const read = (name: string): Promise<string> => readFile(join(path, 'postgres', name), 'utf8');
  const [password, port] = await Promise.all([read('password'), read('port')]);
  const server = `postgres://cumulet:${password.trim()}@127.0.0.1:${port.trim()}`;
  return readRows(SERVICES, (database) => `${server}/${database}`);
}

async function readRows(
  services: readonly string[],
  url: (database: string) => string,
): Promise<Rows> {
  const rows = new Map<string, readonly Row[]>();
  for (const service of services) {
    const database = url(`cumulet_${service}`);
    const tables = await query(
      database,
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'`,
    );
    for (const { name } of tables) {
      const found = await query(
        database,
        `SELECT to_jsonb(t) AS row FROM ${pg.escapeIdentifier(String(name))} t`,
      );
      rows.set(
        `${service}.${String(name)}`,
        found.map(({ row }) => row as Row),
      );
    }
  }
  return rows;
}

async function query(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
