/** The state of a load balancer's HAProxy: whether it runs as configured, and its statistics. */
import { readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BalancerStatistics, Place } from '../data-plane.js';
import { CONFIGURATION } from './configuration/render.js';
import { replaceFile, type BalancerFolder } from './process/balancer-folder.js';
import { namespaceFile } from './process/command-line.js';
import { findMaster, isInNamespace } from './process/find-processes.js';
import { askWorker } from './process/proxy-socket.js';
import { runningFingerprint } from './process/start-proxy.js';
import { command } from './runtime/commands.js';
import {
  added,
  countedBefore,
  readCounters,
  writeCounters,
  type StoredCounters,
  readStatistics,
} from './runtime/statistics.js';

/** Frontends (1) and servers (4) of all proxies, without the sums. */
const STATISTICS = command('show stat -1 5 -1');
/** The time for an answer: a reload on a busy machine. */
const RELOAD_MS = 15_000;
const MAX_LOG_BYTES = 1024 * 1024;

/** Whether the process has the applied configuration and namespace, and can be reconfigured. */
export async function isCurrent(folder: BalancerFolder): Promise<boolean> {
  const path = join(folder.configuration, CONFIGURATION);
  const configuration = await readFile(path, 'utf8').catch(() => '');
  const applied = /^ {2}description (.*)$/m.exec(configuration)?.[1];
  const [master, place] = [await findMaster(folder), await placeOf(folder)];
  if (applied === undefined || master === undefined || place === undefined) return false;
  if (!(await isInNamespace(master, namespaceFile(place)))) return false;
  return (await runningFingerprint(folder)) === applied;
}

async function placeOf({ place }: BalancerFolder): Promise<Place | undefined> {
  const text = await readFile(place, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Place);
}

/** @returns undefined if nothing runs */
export async function balancerStatisticsOf(
  folder: BalancerFolder,
): Promise<BalancerStatistics | undefined> {
  await shorten(folder.log);
  const seen = await look(folder);
  if (!seen) return undefined;
  const before = countedBefore(seen.pid, await keptCounters(folder));
  return { ...seen.statistics, listeners: added(before, seen.statistics.listeners) };
}

/** Stores the counters before another process begins to count. */
export async function storeCounters(folder: BalancerFolder): Promise<void> {
  const seen = await look(folder);
  if (!seen) return;
  const { pid, statistics } = seen;
  const earlier = countedBefore(pid, await keptCounters(folder));
  const kept = { pid, earlier, last: statistics.listeners };
  await replaceFile(folder.counters, writeCounters(kept));
}

interface Seen {
  /** The process with the traffic. */
  readonly pid: number;
  /** Its own counters. */
  readonly statistics: BalancerStatistics;
}

async function look(folder: BalancerFolder): Promise<Seen | undefined> {
  const deadline = Date.now() + RELOAD_MS;
  for (;;) {
    const text = await askWorker(folder, command('show info'), STATISTICS).catch(() => '');
    const pid = Number(/^Pid: (\d+)/m.exec(text)?.[1] ?? 0);
    const start = text.indexOf('# pxname');
    // An answer ends with an empty line, unless the master re-executes itself in the middle.
    if (pid > 0 && start >= 0 && text.endsWith('\n\n'))
      return { pid, statistics: readStatistics(text.slice(start)) };
    // The master does not answer during a reload.
    if (Date.now() > deadline || (await findMaster(folder)) === undefined) return undefined;
    await delay(20);
  }
}

async function keptCounters({ counters }: BalancerFolder): Promise<StoredCounters> {
  return readCounters(await readFile(counters, 'utf8').catch(() => ''));
}

/** HAProxy logs each change of a member's state, for as long as it runs. */
async function shorten(log: string): Promise<void> {
  const { size } = await stat(log).catch(() => ({ size: 0 }));
  if (size > MAX_LOG_BYTES) await truncate(log);
}
