/**
 * A Postgres server of our own, with all its files in one folder (cluster-folder.ts).
 *
 * Always holds: it listens on the loopback address alone and requires a password generated with the
 * folder; however the last run ended, even if Postgres or its keeper was killed, opening the folder
 * again brings back everything that was committed.
 */
import pg from 'pg';
import { accountForExistingCluster } from './account.js';
import { ClusterError, isSystemError } from './cluster-error.js';
import {
  type ClusterPaths,
  clusterExists,
  clusterPaths,
  readCluster,
  rememberPort,
  rememberedPort,
} from './cluster-folder.js';
import { SUPERUSER, createCluster, removeUnfinished } from './create-cluster.js';
import { LOOPBACK, findFreePort, isPortFree } from './free-port.js';
import { endLeftovers } from './leftover-processes.js';
import { findPrograms } from './postgres-programs.js';
import { type Postmaster, startPostmaster } from './postmaster.js';

export interface ClusterOptions {
  /** Created if it does not exist. The caller holds it: see common's folder-lock.ts. */
  readonly folder: string;
  /** By default that of the last start, or any that is free. */
  readonly port?: number;
  /** Whether committed data survives a crash. False makes writes faster. */
  readonly durable: boolean;
  /** The most at a time; by default enough for a cloud in one process. */
  readonly connections?: number;
  /** Gets a line for each unusual event; a normal start logs nothing. */
  readonly log: (line: string) => void;
  /** Called when a program of Postgres runs, for which this process then only waits. */
  readonly onSpawn?: () => void;
}

export interface Cluster extends KeptServer {
  /** The port on the loopback address. It stays the same while the cluster is open. */
  readonly port: number;
  /** `postgres://user:password@127.0.0.1:port/database`: a secret. */
  url(database: string): string;
  /** Creates an empty database for each name that has none yet. */
  ensureDatabases(names: readonly string[]): Promise<void>;
}

/** How many ports to try while others keep taking the one just found. */
const PORT_ATTEMPTS = 3;

/**
 * Opens the cluster of a folder, creating it if there is none.
 * @throws ClusterError, always with one line for a person, if it cannot be opened
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder } = options;
  try {
    await removeUnfinished(folder);
    if (!(await clusterExists(folder))) await createCluster(options);
    return await openCluster(options);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new ClusterError(`The database folder ${folder} cannot be used: ${error.message}`, {
      cause: error,
    });
  }
}

async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder, port, durable, connections, log, onSpawn } = options;
  const paths = clusterPaths(folder);
  const { version, password } = await readCluster(paths);
  const account = await accountForExistingCluster(paths.data);
  const { postgres, majorVersion } = await findPrograms(account);
  if (version !== majorVersion) throw otherVersion(folder, version, majorVersion);

  const startOn = async (chosen: number): Promise<Postmaster> => {
    await endLeftovers(paths.data, log);
    return startPostmaster({
      postgres,
      account,
      paths,
      port: chosen,
      durable,
      connections,
      onSpawn,
    });
  };
  await endLeftovers(paths.data, log);
  const first = await startOnFreePort(startOn, port, paths);
  await rememberPort(paths, first.port);
  const server = keepRunning(first, () => startOn(first.port), log);
  const url = (database: string): string =>
    `postgres://${SUPERUSER}:${password}@${LOOPBACK}:${first.port}/${encodeURIComponent(database)}`;
  return {
    ...server,
    port: first.port,
    url,
    ensureDatabases: (names) => ensureDatabases(url('postgres'), names),
  };
}

/** @throws ClusterError if the requested port is in use */
async function startOnFreePort(
  startOn: (port: number) => Promise<Postmaster>,
  requested: number | undefined,
  paths: ClusterPaths,
): Promise<Postmaster> {
  if (requested !== undefined) {
    if (await isPortFree(requested)) return startOn(requested);
    throw new ClusterError(
      `Port ${requested} of ${LOOPBACK}, which Postgres is to listen on, is in use: ` +
        `choose another, or leave it out to find a free one`,
    );
  }
  const remembered = await rememberedPort(paths);
  for (let attempt = 1; ; attempt += 1) {
    const keep = remembered !== undefined && (await isPortFree(remembered));
    const port = keep ? remembered : await findFreePort();
    try {
      return await startOn(port);
    } catch (error) {
      // Another program may take the port between our check and the server's start.
      if (attempt === PORT_ATTEMPTS || (await isPortFree(port))) throw error;
    }
  }
}

function otherVersion(folder: string, version: string, ours: string): ClusterError {
  return new ClusterError(
    `The database in ${folder} was written by Postgres ${version} and this is Postgres ${ours}: ` +
      `dump it with the Cumulet that wrote it, or move the folder away to start with an empty one`,
  );
}

/** Postgres error codes, "Appendix A": another session has just created it. */
const ALREADY_THERE = new Set(['42P04', '23505']);

/**
 * Creates an empty database for each name that has none yet.
 * @param adminUrl the address of a database whose user may create others
 */
async function ensureDatabases(adminUrl: string, names: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  // A connection that breaks also fails the query in progress, which is where it is reported.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
    const known = new Set(rows.map(({ datname }) => datname));
    for (const name of names) if (!known.has(name)) await createDatabase(client, name);
  } finally {
    await client.end();
  }
}

/** Names of databases cannot be parameters, so this one is quoted as an identifier. */
async function createDatabase(client: pg.Client, name: string): Promise<void> {
  try {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    if (error instanceof pg.DatabaseError && ALREADY_THERE.has(error.code ?? '')) return;
    throw error;
  }
}

interface KeptServer {
  /** The server's process id; it changes with each restart. */
  pid(): number;
  /** Resolves, with the reason, only if a server that died could not be restarted. */
  readonly lost: Promise<ClusterError>;
  /** Disconnects all clients, writes all to disk and ends the server. May be called again. */
  stop(): Promise<void>;
}

/** One that dies more often than this starts again after a pause, which spares the machine. */
const DEATHS_WITHOUT_PAUSE = 3;
const DEATHS_WINDOW_MS = 60_000;
const PAUSE_MS = 2_000;

/**
 * @param first the running server
 * @param restart starts its successor, in the same place
 * @param log gets a line for each restart
 */
function keepRunning(
  first: Postmaster,
  restart: () => Promise<Postmaster>,
  log: (line: string) => void,
): KeptServer {
  let current = first;
  let stopping = false;
  const isStopping = (): boolean => stopping;

  /** @returns why there is no server, or nothing if it was stopped */
  async function watch(): Promise<ClusterError | undefined> {
    let deaths: number[] = [];
    for (;;) {
      const how = await current.ended;
      if (isStopping()) return undefined;
      const now = performance.now();
      deaths = [...deaths.filter((each) => now - each < DEATHS_WINDOW_MS), now];
      const keepsDying = deaths.length > DEATHS_WITHOUT_PAUSE;
      log(`Postgres ${keepsDying ? 'keeps dying' : 'died'} (${how}); starting it again`);
      if (keepsDying) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (isStopping()) return undefined;
      try {
        current = await restart();
      } catch (error) {
        return error instanceof ClusterError ? error : new ClusterError(String(error));
      }
      // Requested during the restart, when there was nothing to stop.
      if (isStopping()) void current.stop();
    }
  }

  const watched = watch();
  return {
    pid: () => current.pid,
    lost: new Promise((resolve) => {
      void watched.then((reason) => {
        if (reason) resolve(reason);
      });
    }),
    async stop() {
      stopping = true;
      await current.stop();
      await watched;
    },
  };
}
