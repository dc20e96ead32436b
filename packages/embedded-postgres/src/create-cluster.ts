/**
 * Creates a cluster: built under another name and renamed when complete, so that a process killed
 * in between leaves nothing that looks like a cluster.
 */
import { randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { type Account, accountForNewCluster } from './account.js';
import { ClusterError } from './cluster-error.js';
import { type ClusterPaths, clusterPaths, unfinishedPrefix } from './cluster-folder.js';
import { dataArgument } from './data-argument.js';
import { endProcessesIn } from './leftover-processes.js';
import { findPrograms } from './postgres-programs.js';
import { runProgram } from './run-program.js';

export const SUPERUSER = 'cumulet';

export interface NewCluster {
  readonly folder: string;
  /** Whether it is on disk when this returns. */
  readonly durable: boolean;
  /** Called when initdb runs. */
  readonly onSpawn?: () => void;
}

/** @throws ClusterError with the reason that initdb gives */
export async function createCluster(options: NewCluster): Promise<void> {
  const { folder, durable } = options;
  const account = await accountForNewCluster();
  const { initdb } = await findPrograms(account);
  await mkdir(dirname(folder), { recursive: true });
  const unfinished = clusterPaths(await mkdtemp(unfinishedPrefix(folder)));
  try {
    await mkdir(unfinished.data, { mode: 0o700 });
    const password = randomBytes(24).toString('base64url');
    await writeFile(unfinished.password, `${password}\n`, { mode: 0o600 });
    if (account.uid !== undefined && account.gid !== undefined) {
      await chown(unfinished.data, account.uid, account.gid);
      await chown(unfinished.password, account.uid, account.gid);
    }
    await runInitdb({ ...options, initdb, account }, unfinished);
    await rename(unfinished.folder, folder);
    if (durable) await syncFolder(dirname(folder));
  } catch (error) {
    await rm(unfinished.folder, { recursive: true, force: true });
    throw error;
  }
}

/** Removes what interrupted creations left behind, and ends their processes. */
export async function removeUnfinished(folder: string): Promise<void> {
  const prefix = basename(unfinishedPrefix(folder));
  const parent = dirname(folder);
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const unfinished = clusterPaths(join(parent, name));
    await endProcessesIn(unfinished.data);
    await rm(unfinished.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * The locale is Postgres's own C.UTF-8, so the order of rows is the same on every machine. The
 * password travels as an open file: it is in no argument, and the account need not reach its path.
 */
async function runInitdb(
  { initdb, account, folder, durable, onSpawn }: NewCluster & { initdb: string; account: Account },
  { data, password: passwordPath }: ClusterPaths,
): Promise<void> {
  const password = await open(passwordPath, 'r');
  const args = [
    '--pgdata',
    dataArgument(data),
    `--username=${SUPERUSER}`,
    '--auth=scram-sha-256',
    '--pwfile=/dev/fd/3',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
  try {
    const options = { ...account, cwd: data, descriptor3: password.fd };
    const ended = runProgram(initdb, args, options);
    onSpawn?.();
    const { exitCode, output } = await ended;
    if (exitCode === 0) return;
    const reason = /(?:error|FATAL|PANIC): +(.*)/.exec(output)?.[1] ?? `exit code ${exitCode}`;
    throw new ClusterError(`Postgres could not create a database in ${folder}: ${reason}`, {
      cause: output,
    });
  } finally {
    await password.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync();
  await folder.close();
}
