/**
 * Finds and ends the processes of load balancers, identified by the pid file in their command line,
 * so that a reused process ID is never mistaken for one. (In a container, not even root may read the
 * working directory of another user's process.)
 */
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BalancerFolder } from './balancer-folder.js';

const KILL_TIMEOUT_MS = 10_000;
/** The time for short work on a busy machine. */
const MOMENT_MS = 5000;
const LOOK_MS = 10;

/**
 * @returns the master process, or undefined. During a reload, its executable and its command line
 * are empty for a moment.
 */
export async function findMaster(folder: BalancerFolder): Promise<number | undefined> {
  const deadline = Date.now() + MOMENT_MS;
  for (;;) {
    const written = await readFile(join(folder.path, folder.pidFile), 'utf8').catch(
      () => undefined,
    );
    const pid = Number.parseInt(written ?? '', 10);
    const line = pid > 0 ? await commandLineOf(pid) : written;
    if (line === undefined || Date.now() > deadline) return undefined;
    if (line !== '') return isFor(folder, line) ? pid : undefined;
    if (pid > 0 && (await hasEnded(pid))) return undefined;
    await delay(LOOK_MS);
  }
}

/** Ends all processes of the load balancer, and waits until they and their sockets are gone. */
export async function endProcesses(folder: BalancerFolder): Promise<void> {
  const deadline = Date.now() + KILL_TIMEOUT_MS;
  const killed = new Set<number>();
  for (;;) {
    const pids = await processesOf(folder);
    for (const pid of killed) if (!(await isEnding(pid))) killed.delete(pid);
    if (pids.length + killed.size === 0) return;
    if (Date.now() > deadline) throw new Error('the processes of a load balancer do not end');
    for (const pid of pids) {
      kill(pid);
      killed.add(pid);
    }
    await delay(5);
  }
}

/** Whether its memory, and so its command line, is gone; its open files are closed later. */
async function isEnding(pid: number): Promise<boolean> {
  return (await commandLineOf(pid)) === '' && !(await hasEnded(pid));
}

/** Whether it is a zombie. Public source: proc_pid_stat(5), the third field. */
async function hasEnded(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status === '' || /\) [ZX] /.test(status);
}

/** Whether the process is in the network namespace of this file. */
export async function isInNamespace(pid: number, file: string): Promise<boolean> {
  const [own, { ino }] = await Promise.all([readlink(`/proc/${pid}/ns/net`), stat(file)]).catch(
    () => ['', { ino: 0 }] as const,
  );
  return own === `net:[${ino}]`;
}

export async function processesOf(folder: BalancerFolder): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await isOf(Number(name), folder))) found.push(Number(name));
  }
  return found;
}

async function isOf(pid: number, folder: BalancerFolder): Promise<boolean> {
  return isFor(folder, (await commandLineOf(pid)) ?? '');
}

/** @returns undefined for a process that is gone or not readable; empty for a zombie */
async function commandLineOf(pid: number): Promise<string | undefined> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
}

function isFor({ pidFile }: BalancerFolder, commandLine: string): boolean {
  return commandLine.split('\0').includes(pidFile);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
