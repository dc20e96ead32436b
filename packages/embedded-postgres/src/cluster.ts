/**
 * A Postgres server of our own, with all its files in one folder (cluster-folder.ts).
 *
 * Always holds: it listens on the loopback address alone and requires a password generated with the
 * folder; however the last run ended, even if Postgres or its keeper was killed, opening the folder
 * again brings back everything that was committed.
 */
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
import { ensureDatabase } from './databases.js';
import { LOOPBACK, findFreePort, isPortFree } from './free-port.js';
import { endLeftovers } from './leftover-processes.js';
import { type KeptServer, keepRunning } from './keep-running.js';
import { findPrograms } from './postgres-programs.js';
import { type Postmaster, startPostmaster } from './postmaster.js';

export interface ClusterOptions {
  /** Created if it does not exist. The caller holds it: see folder-lock.ts. */
  readonly folder: string;
  /** By default that of the last start, or any that is free. */
  readonly port?: number;
  /** Whether committed data survives a crash. False makes writes faster. */
  readonly durable: boolean;
  /** Gets a line for anything out of the ordinary; an ordinary start logs nothing. */
  readonly log: (line: string) => void;
}

export interface Cluster extends KeptServer {
  /** The port on the loopback address. It stays the same while the cluster is open. */
  readonly port: number;
  /** `postgres://user:password@127.0.0.1:port/database`: a secret. */
  url(database: string): string;
  /** Creates an empty database unless there is one of that name. */
  ensureDatabase(name: string): Promise<void>;
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

async function openCluster({ folder, port, durable, log }: ClusterOptions): Promise<Cluster> {
  const paths = clusterPaths(folder);
  const { version, password } = await readCluster(paths);
  const account = await accountForExistingCluster(paths.data);
  const { postgres, majorVersion } = await findPrograms(account);
  if (version !== majorVersion) throw otherVersion(folder, version, majorVersion);

  const startOn = async (chosen: number): Promise<Postmaster> => {
    await endLeftovers(paths.data, log);
    return startPostmaster({ postgres, account, paths, port: chosen, durable });
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
    ensureDatabase: (name) => ensureDatabase(url('postgres'), name),
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
        `choose another, or none to have a free one found`,
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
