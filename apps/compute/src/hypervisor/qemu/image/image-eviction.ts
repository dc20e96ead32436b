/**
 * Evicts images from a host's cache. Another process may begin to use one at any time, so an image
 * is first hidden, checked again, and restored if it is in use.
 *
 * Always holds: an image under a disk is never removed. One that a dead process hid is restored at
 * the next start, since it may be in use.
 */
import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sync } from '@cumulet/common/files/durable-file';
import { errorCode } from '../../hypervisor-error.js';

const HIDDEN = /^\.evicted-(\d+)-(.+)$/;

/** The file whose time of change is the image's last use. */
export function useFile(folder: string, name: string): string {
  return join(folder, name, 'image.json');
}

/** Marks the image as used now. @returns whether it is cached */
export async function touchImage(folder: string, name: string): Promise<boolean> {
  const now = new Date();
  return utimes(useFile(folder, name), now, now).then(
    () => true,
    (error: unknown) => {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    },
  );
}

/** @param used names in use at each call @returns the names of those that are gone now */
export async function evictUnused(
  folder: string,
  unusedMs: number,
  used: () => Promise<ReadonlySet<string>>,
): Promise<string[]> {
  const inUse = await used();
  const evicted: string[] = [];
  for (const name of await readdir(folder)) {
    if (name.startsWith('.')) continue;
    if (inUse.has(name)) await touchImage(folder, name);
    else if (await evict(folder, name, unusedMs, used)) evicted.push(name);
  }
  return evicted;
}

async function evict(
  folder: string,
  name: string,
  unusedMs: number,
  used: () => Promise<ReadonlySet<string>>,
): Promise<boolean> {
  const lastUse = await lastUseOf(folder, name);
  if (lastUse === undefined || Date.now() - lastUse < unusedMs) return false;
  const hidden = `.evicted-${process.pid}-${name}`;
  if (!(await renamed(folder, name, hidden))) return false;
  // A use before it was hidden has touched it, or made a layer.
  const isUnused = (await lastUseOf(folder, hidden)) === lastUse && !(await used()).has(name);
  if (!isUnused) {
    await restore(folder, hidden, name);
    return false;
  }
  await removeWhole(folder, hidden);
  return true;
}

/** Restores what dead processes have hidden. */
export async function restoreHidden(folder: string): Promise<void> {
  for (const hidden of await readdir(folder)) {
    const [, pid, name] = HIDDEN.exec(hidden) ?? [];
    if (pid === undefined || name === undefined || isAlive(Number(pid))) continue;
    await restore(folder, hidden, name);
  }
}

async function restore(folder: string, hidden: string, name: string): Promise<void> {
  // Downloaded again meanwhile: one copy is enough.
  if (!(await renamed(folder, hidden, name))) await removeWhole(folder, hidden);
}

/** Under a name that is never restored, as it is incomplete from its first file on. */
async function removeWhole(folder: string, hidden: string): Promise<void> {
  const gone = `.incoming-${process.pid}-${randomUUID()}`;
  if (!(await renamed(folder, hidden, gone))) return;
  await rm(join(folder, gone), { recursive: true, force: true });
}

/** @returns false if the image is missing, or the other name is taken */
async function renamed(folder: string, from: string, to: string): Promise<boolean> {
  try {
    await rename(join(folder, from), join(folder, to));
  } catch (error) {
    if (['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
  await sync(folder);
  return true;
}

/** Milliseconds since 1970; undefined if it is missing. */
async function lastUseOf(folder: string, name: string): Promise<number | undefined> {
  try {
    return (await stat(useFile(folder, name))).mtimeMs;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether a process of this ID runs, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
