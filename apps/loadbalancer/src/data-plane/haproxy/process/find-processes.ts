/**
 * Finds and ends the processes of load balancers. The command line identifies them: a process is a
 * load balancer's only if it was started with its pid file, so a reused process number is never
 * mistaken for it. (The working directory would say as much, but in a container not even root may
 * read that of another user's process.)
 */
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BalancerFolder } from './balancer-folder.js';

const KILL_TIMEOUT_MS = 10_000;
/** How long a busy machine may take over what is a moment's work. */
const MOMENT_MS = 5000;
const LOOK_MS = 10;

/**
 * @returns the process that begins others when its configuration is read again, or undefined. While it
 * begins to read it, its file and its command line are empty for a moment.
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

/** Ends all that runs for the load balancer, and waits until it is gone, and its sockets with it. */
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

/** Whether its memory is gone, and so its command line, but not what it has open: that goes later. */
async function isEnding(pid: number): Promise<boolean> {
  return (await commandLineOf(pid)) === '' && !(await hasEnded(pid));
}

/** Whether nothing is left of it but its exit code. Public source: proc_pid_stat(5), the third field. */
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

/** All that run for the load balancer. */
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

/** @returns undefined for one that is gone or not ours to see; nothing for a zombie */
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
