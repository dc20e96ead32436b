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
// The start imports it and the services at once, which Jest bears only once they are loaded.
import '../cloud.js';
import { loadStandaloneConfig } from '../config.js';
import { startStandalone, type Standalone } from '../standalone.js';

const RECORDINGS = fileURLToPath(new URL('.', import.meta.url));
const SUFFIX = '.tgz';
const SERVICES = [
  'identity',
  'images',
  'network',
  'compute',
  'secrets',
  'loadbalancer',
  'orchestration',
  'clusters',
  's3',
];
const run = promisify(execFile);

/** Values that clients of the recorded cloud had: see scripts/lib/recorded/things.mjs. */
export interface RecordedThings {
  /** The id of the key that signed its tokens. */
  readonly kid: string;
  readonly users: readonly { readonly name: string; readonly password: string }[];
  readonly images: readonly { readonly id: string; readonly sha256: string }[];
  readonly servers: readonly { readonly id: string; readonly status: string }[];
  /** A trust of `recorded`, in its project, whose trustee is demo. */
  readonly trust: { readonly id: string };
  readonly application: { readonly id: string; readonly secret: string };
  readonly ec2: { readonly user: string } & Key;
}

interface Key {
  readonly access: string;
  readonly secret: string;
}

/** Of recordings that have every service: the same, and those of the services since the first three. */
export interface AllRecordedThings extends RecordedThings {
  readonly networks: {
    readonly group: string;
    readonly rules: readonly ({ readonly id: string } & Row)[];
    readonly port: string;
    readonly options: readonly Row[];
  };
  readonly balancer: {
    readonly id: string;
    readonly policy: string;
    readonly rules: readonly Row[];
  };
  readonly secrets: readonly {
    readonly id: string;
    readonly payload: string;
    readonly type: string;
  }[];
  readonly stack: {
    readonly id: string;
    readonly outputs: Row;
    /** Paths of signed addresses; a POST at the first adds a member to the stack's group. */
    readonly grow: string;
    readonly amazon: string;
  };
  readonly buckets: {
    /** Of a login, an application credential, and a trust, all in demo's hands. */
    readonly keys: { readonly own: Key; readonly delegated: Key; readonly trusted: Key };
    readonly bucket: string;
    /** The bucket's name for requests that nobody signed. */
    readonly anonymous: string;
    readonly policy: Row;
    readonly lifecycle: readonly Row[];
    readonly cors: readonly Row[];
    readonly hook: Row;
    /** The version of `versions` that is not the latest. */
    readonly first: string;
    /** The hash of `large`. */
    readonly large: string;
    readonly customerKey: string;
    readonly upload: { readonly Bucket: string; readonly Key: string; readonly UploadId: string };
    readonly held: { readonly Bucket: string; readonly Key: string; readonly VersionId: string };
  };
  readonly cluster: { readonly id: string; readonly template: string };
}

export interface RecordedFolder {
  /** The data folder; its cloud does not run. */
  readonly path: string;
  readonly things: RecordedThings;
  /** Absent in a recording from before there were all services. */
  readonly all: AllRecordedThings | undefined;
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

/** @param wanted the services whose databases it gets, if they were recorded */
export async function unpack(recording: string, wanted = SERVICES): Promise<RecordedFolder> {
  const work = await mkdtemp(join(tmpdir(), 'cumulet-recorded-'));
  await run('tar', ['-xzf', join(RECORDINGS, recording + SUFFIX), '-C', work]);
  const files = await readdir(work);
  const services = wanted.filter((service) => files.includes(`${service}.sql`));
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
    const things = JSON.parse(await readFile(join(work, 'things.json'), 'utf8')) as RecordedThings;
    return {
      path,
      things,
      all: 'buckets' in things ? (things as AllRecordedThings) : undefined,
      rows: await readRows(services, (database) => cluster.url(database)),
      remove: () => rm(work, { recursive: true }),
    };
  } finally {
    await cluster.stop();
  }
}

async function load(cluster: Cluster, service: string, file: string): Promise<void> {
  await cluster.ensureDatabases([`cumulet_${service}`]);
  await query(cluster.url(`cumulet_${service}`), await readFile(file, 'utf8'));
}

/** Starts the cloud of a folder, as a machine without the networks of the recording. */
export function startRecorded({ path }: RecordedFolder): Promise<Standalone> {
  const env = {
    CUMULET_DATA_DIR: path,
    CUMULET_PORT: '0',
    S3_PORT: '0',
    CUMULET_SEED_MICRO: 'false',
    CUMULET_LOG_LEVEL: 'warn',
    NETWORK_DATA_PLANE: 'simulated',
    LOADBALANCER_DATA_PLANE: 'simulated',
    CLUSTERS_ENGINE: 'simulated',
  };
  const { signal } = new AbortController();
  return startStandalone(loadStandaloneConfig(env), env, () => undefined, signal);
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
