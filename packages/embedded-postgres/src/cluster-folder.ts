/**
 * The layout of a cluster's folder, and whether it can be opened.
 *
 *     <folder>/data/          Postgres's own data folder
 *     <folder>/password       of the superuser; readable by its owner alone
 *     <folder>/port           the port of the last start
 *     <folder>/postgres.log   the log of the server
 *
 * A rename makes the folder appear once it is complete: one that lacks something was damaged later.
 */
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { ClusterError, isMissing } from './cluster-error.js';

export interface ClusterPaths {
  readonly folder: string;
  readonly data: string;
  readonly password: string;
  readonly port: string;
  readonly log: string;
}

export function clusterPaths(folder: string): ClusterPaths {
  return {
    folder,
    data: join(folder, 'data'),
    password: join(folder, 'password'),
    port: join(folder, 'port'),
    log: join(folder, 'postgres.log'),
  };
}

/** Prefix of the name under which a cluster is built beside its folder. */
export function unfinishedPrefix(folder: string): string {
  return join(dirname(folder), `${basename(folder)}.new-`);
}

/**
 * Whether there is a cluster. An empty folder counts as none, so that a volume can be mounted.
 * @throws ClusterError if its path is not a folder
 */
export async function clusterExists(folder: string): Promise<boolean> {
  try {
    if ((await stat(folder)).isDirectory()) return (await readdir(folder)).length > 0;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  throw new ClusterError(`${folder} is not a folder: move it away to start with an empty database`);
}

export interface ClusterFacts {
  /** The major version of Postgres that wrote it: `18`. */
  readonly version: string;
  readonly password: string;
}

/** @throws ClusterError if a part is missing or makes no sense */
export async function readCluster(paths: ClusterPaths): Promise<ClusterFacts> {
  const version = await readRequired(paths, join(paths.data, 'PG_VERSION'));
  if (!/^\d+$/.test(version)) throw damaged(paths.folder, 'data/PG_VERSION names no version');
  return { version, password: await readRequired(paths, paths.password) };
}

/** @returns the port of the last start, if one is recorded */
export async function rememberedPort(paths: ClusterPaths): Promise<number | undefined> {
  const text = await readFile(paths.port, 'utf8').catch(() => '');
  const port = Number(text);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

export async function rememberPort(paths: ClusterPaths, port: number): Promise<void> {
  const unfinished = `${paths.port}.new`;
  await writeFile(unfinished, `${port}\n`);
  await rename(unfinished, paths.port);
}

/** @param what names the faulty part of the cluster in a few words */
function damaged(folder: string, what: string): ClusterError {
  return new ClusterError(
    `The database in ${folder} is damaged: ${what}. Restore the folder from a backup, ` +
      `or move it away to start with an empty one`,
  );
}

async function readRequired(paths: ClusterPaths, path: string): Promise<string> {
  const name = path.slice(paths.folder.length + 1);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) throw damaged(paths.folder, `${name} is missing`);
    throw error;
  });
  if (text.trim() === '') throw damaged(paths.folder, `${name} is empty`);
  return text.trim();
}
