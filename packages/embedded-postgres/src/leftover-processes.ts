/**
 * The processes of a cluster whose keeper was killed. A server process works in its data folder all
 * its life, so the kernel itself says which cluster it serves: a reused process number, or one from
 * before a container's restart, is not mistaken for it.
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

/** A fast shutdown writes out the shared buffers; with ours that takes well under a second. */
const SHUTDOWN_MS = 10_000;
const KILL_MS = 5_000;

/**
 * Ends what an earlier run left: a running server by a clean shutdown, and the orphans of a server
 * that was killed. Then removes its stale pid file, which Postgres would believe if its number
 * belonged to any living process.
 *
 * Does nothing except on Linux; elsewhere Postgres itself refuses to start if in doubt.
 * @throws ClusterError if a process does not end
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
 * @throws ClusterError if a process does not end
 */
export async function endProcessesIn(data: string): Promise<void> {
  const leftovers = processesIn(data);
  for (const pid of leftovers) signal(pid, 'SIGKILL');
  if (leftovers.length > 0 && !(await waitUntilNoneIn(data, KILL_MS))) {
    const pids = processesIn(data).join(', ');
    throw new ClusterError(`Postgres processes (pid ${pids}) keep hold of ${data}: end them first`);
  }
}

/** The server processes, except zombies, that work in the folder. Only Linux can tell. */
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

/** Processes come and go during the scan, and other users' are unreadable. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
