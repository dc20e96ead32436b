/**
 * The processes that use a folder, according to the kernel: those with their working directory or
 * an open file in it, regardless of their PIDs, and even if the folder was removed. Public source:
 * proc(5).
 */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

export interface ProcessUsing {
  readonly pid: number;
  /** The program's name in 15 characters, not that of the loader that runs it. */
  readonly program: string;
  /** The working directory, if that is the folder or below it. */
  readonly workingFolder: string | undefined;
  /** Files of the folder that it has open. */
  readonly files: readonly string[];
}

export interface FolderUse {
  readonly processes: readonly ProcessUsing[];
  /**
   * Programs of processes that may use the folder: only root can see the working directory of
   * others, and in a container without CAP_SYS_PTRACE not even root.
   */
  readonly untold: readonly string[];
}

/** The kernel's suffix for removed files. */
const REMOVED = ' (deleted)';
/** Stands for a link that this process may not read. */
const UNTOLD = '?';

/** @param folder absolute; it may have been removed */
export async function processesUsing(folder: string): Promise<FolderUse> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const processes: ProcessUsing[] = [];
  const untold: string[] = [];
  for (const pid of pids) {
    const [cwd, ...files] = await Promise.all([
      within(folder, `/proc/${pid}/cwd`),
      ...(await readdir(`/proc/${pid}/fd`).catch(() => [])).map((fd) =>
        within(folder, `/proc/${pid}/fd/${fd}`),
      ),
    ]);
    const open = files.filter((path): path is string => path !== undefined && path !== UNTOLD);
    if (cwd === undefined && open.length === 0) continue;
    const program = await programOf(pid);
    if (cwd === UNTOLD) {
      untold.push(program);
      continue;
    }
    processes.push({ pid: Number(pid), program, workingFolder: cwd, files: [...new Set(open)] });
  }
  return { processes, untold };
}

async function programOf(pid: string): Promise<string> {
  const [name, command] = await Promise.all(
    ['comm', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
  );
  return programNamed(name?.trim() ?? '', command?.split('\0') ?? []);
}

/** A program that is unpacked with its libraries is run by the loader among them (ld.so(8)). Pure. */
export function programNamed(name: string, [, ...args]: readonly string[]): string {
  if (!name.startsWith('ld-linux')) return name;
  // Its options are in pairs: `--library-path PATH`.
  while (args[0]?.startsWith('--')) args.splice(0, 2);
  return basename(args[0] ?? name);
}

/** @returns where the link leads, if that is the folder or below it, or `UNTOLD` */
async function within(folder: string, link: string): Promise<string | undefined> {
  const target = await readlink(link).catch((error: unknown) => {
    // The process has ended.
    return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '') ? UNTOLD : '';
  });
  if (target === UNTOLD) return UNTOLD;
  const path = target.endsWith(REMOVED) ? target.slice(0, -REMOVED.length) : target;
  return path === folder || path.startsWith(join(folder, '/')) ? path : undefined;
}
