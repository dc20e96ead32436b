/** The database of the whole cloud: an embedded Postgres in the data folder. */
import { join } from 'node:path';

import { type Cluster, startCluster } from '@cumulet/embedded-postgres/cluster';
import { ClusterError } from '@cumulet/embedded-postgres/cluster-error';

import type { DataFolder } from '../data-folder.js';
import { StartupError } from '../startup-error.js';

export interface PostgresOptions {
  readonly dataFolder: DataFolder;
  /** On the loopback address. By default that of the last start, or any that is free. */
  readonly port?: number;
  /** Gets a line for anything out of the ordinary, such as a recovery. */
  readonly log: (line: string) => void;
  /** Called when a program of Postgres runs, for which this process then only waits. */
  readonly onSpawn?: () => void;
}

/**
 * Its URLs contain the password, and must not be logged. Watch `lost`: without the database, the
 * process should end.
 */
export type PostgresServer = Cluster;

/**
 * Starts the server on `<data folder>/postgres`, which is created if it does not exist.
 * @throws StartupError if the folder is damaged, or the server cannot run
 */
export async function startPostgres({
  dataFolder,
  ...options
}: PostgresOptions): Promise<PostgresServer> {
  try {
    const folder = join(dataFolder.path, 'postgres');
    return await startCluster({ ...options, folder, durable: true });
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    throw new StartupError(error.message, { cause: error });
  }
}
