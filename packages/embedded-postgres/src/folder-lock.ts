/**
 * One process per folder, enforced by the kernel: an flock(2) on `<folder>/lock`. It ends with the
 * process however that dies, so no lock is ever stale and no process number is mistaken for
 * another's, and it works between containers that share the folder.
 *
 * Node has no call for flock. The lock belongs to the open file, not to a process, so the program
 * flock(1) takes it on an inherited descriptor, exits, and leaves it with us. The file is never
 * removed: a lock on a removed file would exclude nobody.
 */
import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { ClusterError, isMissing } from './cluster-error.js';
import { runProgram } from './run-program.js';

/** Another process holds the folder. */
export class FolderInUseError extends ClusterError {
  constructor(
    readonly folder: string,
    /** The holder's process id, as it wrote it; empty until it does. */
    readonly holder: string,
  ) {
    super(`The folder ${folder} is in use by another process${holder && ` (pid ${holder})`}`);
  }
}

export interface FolderLock {
  /** Releases the lock. Not needed at the end of the process. */
  release(): void;
}

/** The exit code of `flock -n` if another process holds the lock. */
const HELD_BY_ANOTHER = 1;

/**
 * Takes the lock of an existing folder without waiting.
 * @throws FolderInUseError if another process holds it
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, 'lock');
  // A plain number: a FileHandle would be closed, and the lock lost, on garbage collection.
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const { exitCode, output } = await runProgram('flock', ['-n', '3'], {
      descriptor3: descriptor,
    });
    if (exitCode === HELD_BY_ANOTHER) {
      throw new FolderInUseError(folder, readFileSync(path, 'utf8').trim());
    }
    if (exitCode !== 0) throw new ClusterError(`The folder ${folder} cannot be locked: ${output}`);
    ftruncateSync(descriptor);
    writeSync(descriptor, `${process.pid}\n`, 0);
  } catch (error) {
    closeSync(descriptor);
    if (!isMissing(error)) throw error;
    throw new ClusterError(
      `The program flock (package util-linux) is missing; without it, ${folder} cannot be locked`,
    );
  }
  return { release: () => closeSync(descriptor) };
}
