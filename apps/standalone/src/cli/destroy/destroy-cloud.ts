/**
 * Removes the remains of a cloud that was killed, or whose folder was deleted: processes, guests
 * among them, their control groups, network namespaces, and the device and route on the machine's
 * network.
 *
 * Always holds: a running cloud is refused before anything changes, and its folder cannot be started
 * meanwhile. Nothing in the folder is removed, so its cloud can start again.
 */
import { existsSync } from 'node:fs';
import { readFile, realpath, rm, rmdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processesUsing, type ProcessUsing } from '@cumulet/common/programs/processes-using';
import { runProgram } from '@cumulet/common/programs/run-program';
import { v1Of, v2Of } from '@cumulet/compute/hypervisor/qemu/machine/cgroup-files';
import { rootsOf } from '@cumulet/loadbalancer/data-plane/haproxy/process/balancer-folder';
import {
  mayBeOfCloud,
  namespacesBelow,
  uplinksMadeBelow,
  isProgramOfCloud,
} from '@cumulet/network/data-plane/ovn/host/uplinks/leftover-uplinks';
import { killProcess } from '@cumulet/network/data-plane/ovn/host/supervisor';
import { CommandError } from '../command-error.js';
import { openDataFolder } from '../../data-folder.js';
import { StartupError } from '../../startup-error.js';

const END_MS = 10_000;
const POLL_MS = 50;
const GUEST_GROUP = /^cumulet-[0-9a-f-]{36}$/;

type Say = (line: string) => void;

/**
 * @param path the cloud's data folder, which need not be there any more
 * @throws CommandError if the cloud runs, or something of it does not end
 */
export async function destroyCloud(path: string, say: Say): Promise<void> {
  const folder = resolve(path);
  const isThere = existsSync(folder);
  // A folder of something else gets no lock.
  const lock = existsSync(join(folder, 'lock')) ? await lockOf(folder) : undefined;
  try {
    const real = await realpath(folder).catch(() => folder);
    const balancers = await rootsOf(join(folder, 'loadbalancer'));
    const places = [...new Set([folder, real]), ...balancers];
    const processes = await processesIn(places);
    const { cloud, ours, others } = sortProcesses(processes, join(real, 'lock'), process.pid);
    if (cloud !== undefined)
      throw new CommandError(`The cloud of ${folder} runs (pid ${cloud}): stop it first`);
    const uplinks = await uplinksMadeBelow(real);
    const namespaces = await namespacesBelow(join(real, 'network', 'ovn'));
    for (const { pid, program } of others)
      say(`${program} (pid ${pid}) is in the folder, and is left alone`);
    await endProcesses(places, ours, say);
    for (const { device } of uplinks) {
      await ip(['link', 'delete', 'dev', device]);
      say(`Removed the device ${device} with its route`);
    }
    for (const name of namespaces) await removeNamespace(name, say);
    if (!isThere) for (const root of balancers) await removeFolder(root, say);
    const isNothing = ours.length + uplinks.length + namespaces.length === 0;
    if (isNothing) say(`No cloud of ${folder} is running`);
    if (isThere) say(`${folder} is unchanged: a cloud that starts in it finds all its data`);
  } finally {
    lock?.release();
  }
}

async function lockOf(folder: string): Promise<{ release(): void }> {
  try {
    return await openDataFolder(folder);
  } catch (error) {
    if (error instanceof StartupError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

/** @throws CommandError if root cannot inspect all processes, because some could be the cloud's */
async function processesIn(places: readonly string[]): Promise<ProcessUsing[]> {
  const uses = await Promise.all(places.map((place) => processesUsing(place)));
  // Users other than root may see all of their own processes, which the cloud's are.
  if (process.getuid?.() === 0 && uses.some(({ untold }) => untold.some(mayBeOfCloud)))
    throw new CommandError(
      'This container is not allowed to see the working directories of processes (CAP_SYS_PTRACE)',
    );
  const byPid = new Map(uses.flatMap(({ processes }) => processes.map((one) => [one.pid, one])));
  return [...byPid.values()];
}

/** @throws CommandError if one does not end */
async function endProcesses(
  places: readonly string[],
  processes: readonly ProcessUsing[],
  say: Say,
): Promise<void> {
  if (processes.length === 0) return;
  const groups = (await Promise.all(processes.map(({ pid }) => groupsOf(pid)))).flat();
  const pids = new Set(processes.map(({ pid }) => pid));
  // A number that has become another's by now is not in the folder.
  const left = async (): Promise<readonly number[]> =>
    (await processesIn(places)).map(({ pid }) => pid).filter((pid) => pids.has(pid));
  const leftAfterAWhile = async (): Promise<readonly number[]> => {
    const end = performance.now() + END_MS;
    let now = await left();
    while (now.length > 0 && performance.now() < end) {
      await delay(POLL_MS);
      now = await left();
    }
    return now;
  };
  // SIGINT is Postgres' fast shutdown, which does not wait for clients.
  for (const { pid, program } of processes)
    killProcess(pid, program === 'postgres' ? 'SIGINT' : 'SIGTERM');
  for (const pid of await leftAfterAWhile()) killProcess(pid, 'SIGKILL');
  const stubborn = await leftAfterAWhile();
  if (stubborn.length > 0)
    throw new CommandError(`These processes did not exit: ${stubborn.join(', ')}`);
  for (const { pid, program } of processes) say(`Ended ${program} (pid ${pid})`);
  for (const group of new Set(groups)) await rmdir(group).catch(() => undefined);
}

async function removeNamespace(name: string, say: Say): Promise<void> {
  const inside = (await ip(['netns', 'pids', name])).split('\n').filter(Boolean);
  if (inside.length > 0) {
    say(`The network namespace ${name} stays: processes are in it (${inside.join(', ')})`);
    return;
  }
  await ip(['netns', 'delete', name]);
  say(`Removed the network namespace ${name}`);
}

async function removeFolder(path: string, say: Say): Promise<void> {
  await rm(path, { recursive: true, force: true });
  say(`Removed ${path}`);
}

/** The control groups that a guest's process is held in. */
async function groupsOf(pid: number): Promise<string[]> {
  const [mountinfo = '', cgroup = ''] = await Promise.all(
    ['/proc/self/mountinfo', `/proc/${pid}/cgroup`].map((path) =>
      readFile(path, 'utf8').catch(() => ''),
    ),
  );
  const facts = { mountinfo, cgroup };
  const found = [v2Of(facts)?.own ?? '', ...Object.values(v1Of(facts) ?? {})];
  return found.filter((group) => GUEST_GROUP.test(basename(group)));
}

/** @returns its output; empty if it fails, because the object may be gone */
async function ip(args: readonly string[]): Promise<string> {
  const { exitCode, stdout } = await runProgram('ip', args, { timeoutMs: END_MS });
  return exitCode === 0 ? stdout.toString() : '';
}

interface SortedProcesses {
  /** Of a process that has the folder's lock open, and so runs the cloud. */
  readonly cloud: number | undefined;
  /** Processes that the cloud has started. */
  readonly ours: readonly ProcessUsing[];
  /** Other processes, such as a shell, which are never ended. */
  readonly others: readonly ProcessUsing[];
}

/** @param lock the path of the folder's lock @param self the process that asks, which has the lock */
export function sortProcesses(
  processes: readonly ProcessUsing[],
  lock: string,
  self: number,
): SortedProcesses {
  const seen = processes.filter(({ pid }) => pid !== self);
  const isOurs = ({ program, workingFolder }: ProcessUsing): boolean =>
    workingFolder !== undefined && isProgramOfCloud(program);
  return {
    cloud: seen.find(({ files }) => files.includes(lock))?.pid,
    ours: seen.filter(isOurs),
    others: seen.filter((one) => !isOurs(one)),
  };
}
