/**
 * The operating-system account that Postgres runs as. Postgres refuses to run as root, so a root
 * process runs it as another user; any other process runs it as itself.
 */
import { stat } from 'node:fs/promises';

import { ClusterError } from './cluster-error.js';
import { runProgram } from './run-program.js';

/** To be spread into a child process's options. Empty means: as this process. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** The name that Debian, Fedora and the Postgres images all give to this account. */
const NAME = 'postgres';

/** Whether this process may, and therefore must, run Postgres as another user. */
export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The account for a new cluster. As root, the machine's user `postgres`, which is created if it
 * does not exist.
 * @throws ClusterError if the user is missing and cannot be created
 */
export async function accountForNewCluster(): Promise<Account> {
  if (!runsAsRoot()) return {};
  const existing = await lookUp();
  if (existing) return existing;
  const creation = await runProgram('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
    NAME,
  ]).catch((error: unknown) => ({ exitCode: -1, output: String(error) }));
  const created = await lookUp();
  if (created) return created;
  throw new ClusterError(
    `Postgres does not run as root, and the user "${NAME}" could not be created: ` +
      `run "useradd --system ${NAME}", or run Cumulet as an ordinary user`,
    { cause: creation.output },
  );
}

/**
 * The account for an existing cluster. As root, the owner of its files, whoever that is: the folder
 * may come from an ordinary user's run, or from a container with another uid for `postgres`.
 */
export async function accountForExistingCluster(dataPath: string): Promise<Account> {
  if (!runsAsRoot()) return {};
  const { uid, gid } = await stat(dataPath);
  if (uid !== 0) return { uid, gid };
  throw new ClusterError(
    `The Postgres folder ${dataPath} belongs to root, as whom Postgres does not run: ` +
      `give it back to its owner, e.g. "chown -R ${NAME} ${dataPath}"`,
  );
}

async function lookUp(): Promise<Required<Account> | undefined> {
  const [uid, gid] = await Promise.all([
    runProgram('id', ['-u', NAME]),
    runProgram('id', ['-g', NAME]),
  ]);
  if (uid.exitCode !== 0 || gid.exitCode !== 0) return undefined;
  return { uid: Number(uid.output), gid: Number(gid.output) };
}
