/**
 * The processes that have to do with a folder, as the kernel tells it: one that works there, or has a
 * file there open, has to do with it however its number came about, and also once the folder has been
 * removed. Public source: proc(5).
 */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

export interface ProcessUsing {
  readonly pid: number;
  /** The program's name, of which the kernel keeps 15 characters; of one that a loader runs, its own. */
  readonly program: string;
  /** Its working folder, where it is the folder or below it. */
  readonly workingFolder: string | undefined;
  /** Files of the folder that it has open. */
  readonly files: readonly string[];
}

export interface FolderUse {
  readonly processes: readonly ProcessUsing[];
  /**
   * The programs of processes that may have to do with it, since they do not tell where they work:
   * others' tell it to root alone, and in a container without CAP_SYS_PTRACE not even to root.
   */
  readonly untold: readonly string[];
}

/** The kernel's suffix for removed files. */
const REMOVED = ' (deleted)';
/** Stands for a link that this process may not read. */
const UNTOLD = '?';

/** @param folder absolute; it need not be there any more */
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
