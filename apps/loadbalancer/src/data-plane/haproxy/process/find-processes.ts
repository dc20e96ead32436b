/**
 * Finds and ends the processes of load balancers, identified by the pid file in their command line,
 * so that a reused process ID is never mistaken for one. (In a container, not even root may read the
 * working directory of another user's process.)
 */
import { readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { commandLineOf, commandLines } from '@cumulet/common/programs/command-lines';
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
    const line = pid > 0 ? commandLineOf(pid) : written?.split('\0');
    if (line === undefined || Date.now() > deadline) return undefined;
    if (!isEmpty(line)) return isFor(folder, line) ? pid : undefined;
    if (pid > 0 && (await hasEnded(pid))) return undefined;
    await delay(LOOK_MS);
  }
}

/** Ends all processes of the load balancer, and waits until they and their sockets are gone. */
export async function endProcesses(folder: BalancerFolder): Promise<void> {
  const deadline = Date.now() + KILL_TIMEOUT_MS;
  const killed = new Set<number>();
  for (;;) {
    const pids = processesOf(folder);
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
  const line = commandLineOf(pid);
  return line !== undefined && isEmpty(line) && !(await hasEnded(pid));
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

export function processesOf(folder: BalancerFolder): number[] {
  return [...commandLines()].filter(([, line]) => isFor(folder, line)).map(([pid]) => pid);
}

function isFor({ pidFile }: BalancerFolder, commandLine: readonly string[]): boolean {
  return commandLine.includes(pidFile);
}

function isEmpty([program]: readonly string[]): boolean {
  return program === '';
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
