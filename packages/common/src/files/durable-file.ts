/**
 * Writes files atomically, even across crashes: under a temporary name, synced, then renamed. Only
 * their owner may read or write them.
 */
import { randomUUID } from 'node:crypto';
import { link, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A unique name beside `path`. */
export function temporaryName(path: string): string {
  return `${path}.${randomUUID()}.tmp`;
}

/** Creates or replaces the file at `path`. */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  await publish(path, content, rename);
}

/** Creates the file at `path`. @throws the system's EEXIST if the name is taken */
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

/** Flushes a file's content, or a folder's names, to the disk. */
export async function sync(path: string): Promise<void> {
  await withFile(path, 'r', (file) => file.sync());
}

/** Opens a file for the duration of `work`. */
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
