/** The daemons that a process which was killed has left: those that still fit go on. */
import { setTimeout as delay } from 'node:timers/promises';
import { isOneOf, programArgs, type DaemonName } from './daemons.js';
import type { OvnFolder } from './host-settings.js';
import { OvnHostError } from './ovn-host.errors.js';
import { isRunning, killProcess, processesIn, type ProcessIn } from './processes.js';

const END_MS = 20_000;
const POLL_MS = 10;

/** By their names, the arguments that each gets besides those that it always has. */
export type WantedDaemons = Readonly<Partial<Record<DaemonName, readonly string[]>>>;

/** @returns the processes that are one of the daemons: these work in their folder all their life */
export async function daemonsIn(
  folder: string,
  names: readonly DaemonName[],
): Promise<ProcessIn[]> {
  const all = await processesIn(folder);
  return all.filter(({ pid, argv }) => isOneOf(names, argv) && isRunning(pid));
}

/**
 * Ends what does not run as it would be started now.
 * @returns what may go on, by names
 * @throws OvnHostError if one does not end
 */
export async function endUnfit(
  options: OvnFolder,
  wanted: WantedDaemons,
): Promise<ReadonlyMap<DaemonName, number>> {
  const names = Object.keys(wanted) as DaemonName[];
  const left = await daemonsIn(options.folder, names);
  const fit = new Map<DaemonName, number>();
  for (const name of names) {
    const args = programArgs(name, options, wanted[name]).join('\0');
    const one = left.find(({ argv, isOutdated }) => !isOutdated && argv.join('\0') === args);
    if (one) fit.set(name, one.pid);
  }
  const kept = new Set(fit.values());
  await endAll(
    options.folder,
    left.map(({ pid }) => pid).filter((pid) => !kept.has(pid)),
  );
  return fit;
}

async function endAll(folder: string, pids: readonly number[]): Promise<void> {
  const end = performance.now() + END_MS;
  for (const pid of pids) killProcess(pid, 'SIGKILL');
  while (pids.some(isRunning)) {
    if (performance.now() > end)
      throw new OvnHostError(
        `The processes ${pids.join(', ')} keep hold of ${folder}: end them first`,
      );
    await delay(POLL_MS);
  }
}
