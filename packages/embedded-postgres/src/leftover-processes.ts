/**
 * The processes of a cluster whose keeper was killed. A server process works in its data folder for
 * life, so the kernel itself says whose it is: a number that was reused, or one from before a
 * restart of the container, is not mistaken for it.
 *
 * The caller holds the folder's lock, so whoever started them is dead.
 */
import { readFileSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { ClusterError, isMissing, isSystemError } from './cluster-error.js';

const PROGRAMS = new Set(['postgres', 'initdb']);
const POLL_MS = 10;

/** A fast shutdown writes what is in shared buffers; with ours that is well under a second. */
const SHUTDOWN_MS = 10_000;
const KILL_MS = 5_000;

/**
 * Ends what an earlier run left: a running server by a clean shutdown, and the orphans of a server
 * that was killed at once. Then removes its stale pid file, which Postgres would take seriously if
 * its number belonged to any living process.
 *
 * Off Linux nothing is done, and Postgres itself refuses to start where it is not sure.
 *
 * @throws ClusterError where a process does not go away
 */
export async function endLeftovers(data: string, log: (line: string) => void): Promise<void> {
  if (process.platform !== 'linux') return;
  const pidFile = join(data, 'postmaster.pid');
  const leftovers = processesIn(data);
  const postmaster = leftovers.length > 0 ? await readPid(pidFile) : undefined;
  if (postmaster !== undefined && leftovers.includes(postmaster)) {
    log(`Stopping the Postgres of an earlier run (pid ${postmaster})`);
    signal(postmaster, 'SIGINT');
    await waitUntilNoneIn(data, SHUTDOWN_MS);
  }
  await endProcessesIn(data);
  await rm(pidFile, { force: true });
}

async function readPid(pidFile: string): Promise<number | undefined> {
  try {
    return Number.parseInt(await readFile(pidFile, 'utf8'), 10);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Kills what still works in the folder. Postgres recovers from that as from a crash.
 *
 * @throws ClusterError where a process does not go away
 */
export async function endProcessesIn(data: string): Promise<void> {
  const leftovers = processesIn(data);
  for (const pid of leftovers) signal(pid, 'SIGKILL');
  if (leftovers.length > 0 && !(await waitUntilNoneIn(data, KILL_MS))) {
    const pids = processesIn(data).join(', ');
    throw new ClusterError(`Postgres processes (pid ${pids}) keep hold of ${data}: end them first`);
  }
}

/** The server processes, zombies excepted, that work in the folder. Linux alone has an answer. */
export function processesIn(data: string): number[] {
  const folder = orUndefined(() => realpathSync(data));
  if (folder === undefined || process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => orUndefined(() => readlinkSync(`/proc/${pid}/cwd`)) === folder)
    .filter((pid) =>
      PROGRAMS.has(orUndefined(() => readFileSync(`/proc/${pid}/comm`, 'utf8').trim()) ?? ''),
    )
    .map(Number);
}

async function waitUntilNoneIn(data: string, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (processesIn(data).length > 0) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

function signal(pid: number, name: NodeJS.Signals): void {
  orUndefined(() => process.kill(pid, name));
}

/** Processes come and go while one looks, and those of other users are closed to us. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
