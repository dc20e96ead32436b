/** The processor time of this process and of a Postgres on this machine (Linux: proc_pid_stat(5)). */
import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import type { DataSource } from 'typeorm';

interface Stat {
  readonly parent: number;
  /** Clock ticks of the process, and of its children that have ended. */
  readonly own: number;
  readonly ended: number;
}

const TICK_MS = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

export class CpuClock {
  private constructor(private readonly postmaster: number) {}

  static async of(dataSource: DataSource): Promise<CpuClock> {
    const [row] = await dataSource.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid');
    const backend = await statOf(row?.pid ?? 0);
    if (!backend) throw new Error('Postgres does not run on this machine');
    return new CpuClock(backend.parent);
  }

  /** Since the start of both. */
  async milliseconds(): Promise<number> {
    const postmaster = await statOf(this.postmaster);
    let ticks = (postmaster?.own ?? 0) + (postmaster?.ended ?? 0);
    for (const name of await readdir('/proc')) {
      const stat = /^\d+$/.test(name) ? await statOf(Number(name)) : undefined;
      if (stat?.parent === this.postmaster) ticks += stat.own;
    }
    const { user, system } = process.cpuUsage();
    return ticks * TICK_MS + (user + system) / 1000;
  }
}

/** Undefined if the process has ended. */
async function statOf(pid: number): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // The second field is the program's name in parentheses, which may hold spaces itself.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent, user, system, childUser, childSystem] = [1, 11, 12, 13, 14].map(
    (at) => fields[at] ?? 0,
  ) as [number, number, number, number, number];
  return { parent, own: user + system, ended: childUser + childSystem };
}
