/**
 * The folder for everything that outlives the process. Only one process at a time may use it: it
 * locks the folder before reading anything in it, and the kernel releases the lock when the process
 * ends, however that happens.
 */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';

import { FolderInUseError, FolderLockError, lockFolder } from '@cumulet/common/files/folder-lock';

import { StartupError } from './startup-error.js';

/** Proof that this process holds the folder. */
export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  /** Releases the folder, as the end of the process does. */
  release(): void;
}

/**
 * Creates the folder if there is none, readable by this user alone, and locks it.
 * @throws StartupError if another process holds it, or it cannot be used
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const folder = resolve(path);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = await lockFolder(folder);
    return { path: folder, release: () => lock.release() };
  } catch (error) {
    throw new StartupError(explain(folder, error), { cause: error });
  }
}

function explain(folder: string, error: unknown): string {
  if (error instanceof FolderInUseError) {
    const holder = error.holder === '' ? '' : ` (${error.holder})`;
    return (
      `The data folder ${folder} is in use by another Cumulet${holder}: ` +
      `stop that one, or give this one a folder of its own`
    );
  }
  if (error instanceof FolderLockError) return error.message;
  return `The data folder ${folder} cannot be used: ${(error as Error).message}`;
}
