/** The daemons that a process which was killed has left. */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isOneOf, type DaemonName } from './daemons.js';
import { OvnHostError } from './ovn-host.errors.js';

const END_MS = 20_000;
const POLL_MS = 10;

/** @returns their process ids: daemons work in their folder all their life */
export async function daemonsIn(folder: string, names: readonly DaemonName[]): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((one) => /^\d+$/.test(one));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      if (cwd !== folder) return [];
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return isOneOf(names, command.split('\0')) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

/** @throws OvnHostError if one does not end */
export async function endLeftovers(folder: string, names: readonly DaemonName[]): Promise<void> {
  const end = performance.now() + END_MS;
  for (;;) {
    const pids = await daemonsIn(folder, names);
    if (pids.length === 0) return;
    if (performance.now() > end)
      throw new OvnHostError(
        `The processes ${pids.join(', ')} keep hold of ${folder}: end them first`,
      );
    for (const pid of pids) kill(pid);
    await delay(POLL_MS);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
