/** Processes that are not this one's children. Public source: proc(5). */
import { readFileSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';

export interface ProcessIn {
  readonly pid: number;
  readonly argv: readonly string[];
  /** Whether its program has been removed or replaced since it was started. */
  readonly isOutdated: boolean;
}

/** The processes whose working folder it is. */
export async function processesIn(folder: string): Promise<ProcessIn[]> {
  const pids = (await readdir('/proc')).filter((one) => /^\d+$/.test(one));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      if (cwd !== folder) return [];
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const program = await readlink(`/proc/${pid}/exe`).catch(() => '');
      const argv = command.split('\0').slice(0, -1);
      return [{ pid: Number(pid), argv, isOutdated: program.endsWith(' (deleted)') }];
    }),
  );
  return found.flat();
}

/** Whether it runs: one that nobody has waited for yet has ended all the same. */
export function isRunning(pid: number): boolean {
  try {
    const state = /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
    return state !== undefined && state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

export function killProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
