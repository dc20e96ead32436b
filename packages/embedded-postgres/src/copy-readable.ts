/** Copies a folder so that every user of the machine can read and run the copy. */
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * The copy appears whole or not at all, and replaces whatever is at `target`. Symbolic links are
 * copied as links.
 *
 * @param includes which paths below `source` to copy; an excluded folder is not entered
 */
export async function copyReadable(
  source: string,
  target: string,
  includes: (path: string) => boolean,
): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  // Explicit, since the process's umask narrows mkdir's mode.
  await chmod(dirname(target), 0o755);
  const incomplete = `${target}.${process.pid}`;
  await rm(incomplete, { recursive: true, force: true });
  await copyFolder(source, incomplete, includes);
  await rm(target, { recursive: true, force: true });
  await rename(incomplete, target);
}

async function copyFolder(
  source: string,
  target: string,
  includes: (path: string) => boolean,
): Promise<void> {
  await mkdir(target);
  await chmod(target, 0o755);
  for (const name of await readdir(source)) {
    const from = join(source, name);
    const to = join(target, name);
    if (!includes(from)) continue;
    const stats = await lstat(from);
    if (stats.isDirectory()) await copyFolder(from, to, includes);
    else if (stats.isSymbolicLink()) await symlink(await readlink(from), to);
    else {
      await copyFile(from, to);
      await chmod(to, (stats.mode & 0o111) === 0 ? 0o644 : 0o755);
    }
  }
}
