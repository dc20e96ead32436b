/**
 * Files that are there whole or not at all, whenever the process or the machine dies: written
 * under a temporary name, synced, then given their own. They are their user's alone.
 */
import { randomUUID } from 'node:crypto';
import { link, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A name beside `path` that no other call uses. */
export function temporaryName(path: string): string {
  return `${path}.${randomUUID()}.tmp`;
}

/** Makes the file at `path`, or replaces it. */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  await publish(path, content, rename);
}

/**
 * Makes the file at `path`.
 * @throws the system's EEXIST where the name is taken, by whoever came first
 */
export async function createDurably(path: string, content: string | Uint8Array): Promise<void> {
  await publish(path, content, link);
}

async function publish(
  path: string,
  content: string | Uint8Array,
  name: (from: string, to: string) => Promise<void>,
): Promise<void> {
  const temporary = temporaryName(path);
  try {
    await withFile(temporary, 'wx', async (file) => {
      await file.writeFile(content);
      await file.sync();
    });
    await name(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
  await sync(dirname(path));
}

/** Brings a file's content, or a folder's names, to the disk. */
export async function sync(path: string): Promise<void> {
  await withFile(path, 'r', (file) => file.sync());
}

/** Opens a file for the time of `work`. */
export async function withFile<T>(
  path: string,
  flags: string,
  work: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags, 0o600);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
