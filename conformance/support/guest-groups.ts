/** The control groups of guests, which their host leaves when they are killed from outside ("cgroups(7)"). */
import { readFile, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { eventually } from './eventually.js';

const LIMIT_MS = 60_000;

/** @returns the folders of the groups that a guest's process is in and that are its own */
export async function groupsOf(pid: number): Promise<string[]> {
  const [groups, mounts] = await Promise.all(
    [`/proc/${pid}/cgroup`, '/proc/self/mountinfo'].map((file) =>
      readFile(file, 'utf8').catch(() => ''),
    ),
  );
  const paths = [...(groups ?? '').matchAll(/^\d+:[^:]*:(.*)$/gm)].map(([, path = '']) => path);
  const own = new Set(paths.filter((path) => basename(path).startsWith('cumulet-')));
  const found = [...(mounts ?? '').matchAll(/^\S+ \S+ \S+ \S+ (\S+) .* - cgroup2? /gm)];
  return found.flatMap(([, mount = '']) => [...own].map((path) => join(mount, path)));
}

/** Removes those that are there, once their processes have ended. */
export async function removeGroups(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    await eventually(`${folder} is gone`, LIMIT_MS, () =>
      rmdir(folder).then(
        () => true,
        (error: unknown) => ((error as NodeJS.ErrnoException).code === 'EBUSY' ? undefined : true),
      ),
    );
  }
}
