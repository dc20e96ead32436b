/**
 * One process per folder, enforced by the kernel: an flock(2) on `<folder>/lock`. It ends with the
 * process however that dies, so no lock is ever stale and no process number is mistaken for
 * another's, and it works between containers that share the folder.
 *
 * Node has no call for flock. The lock belongs to the open file, not to a process, so the program
 * flock(1) takes it on an inherited descriptor, exits, and leaves it with us. The file is never
 * removed: a lock on a removed file would exclude nobody.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { PROGRAM_ENVIRONMENT } from '../programs/run-program.js';

/** The folder cannot be locked. The message names it and says what to do. */
export class FolderLockError extends Error {
  override readonly name: string = 'FolderLockError';
}

/** Another process holds the folder. */
export class FolderInUseError extends FolderLockError {
  override readonly name = 'FolderInUseError';

  constructor(
    readonly folder: string,
    /** The holder, as it wrote itself: by default its process id; empty until it does. */
    readonly holder: string,
  ) {
    super(`The folder ${folder} is in use by another process${holder && ` (${holder})`}`);
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
 * @param holder what others are told of this process
 * @throws FolderInUseError if another process holds it; FolderLockError if it cannot be locked
 */
export async function lockFolder(
  folder: string,
  holder = `pid ${process.pid}`,
): Promise<FolderLock> {
  const path = join(folder, 'lock');
  // A plain number: a FileHandle would be closed, and the lock lost, on garbage collection.
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const { exitCode, output } = await flock(descriptor);
    if (exitCode === HELD_BY_ANOTHER) {
      throw new FolderInUseError(folder, readFileSync(path, 'utf8').trim());
    }
    if (exitCode !== 0)
      throw new FolderLockError(`The folder ${folder} cannot be locked: ${output}`);
    ftruncateSync(descriptor);
    writeSync(descriptor, `${holder}\n`, 0);
  } catch (error) {
    closeSync(descriptor);
    if (!isMissing(error)) throw error;
    throw new FolderLockError(
      `The program flock (package util-linux) is missing; without it, ${folder} cannot be locked`,
    );
  }
  return { release: () => closeSync(descriptor) };
}

async function flock(
  descriptor: number,
): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const child = spawn('flock', ['-n', '3'], {
    cwd: '/',
    env: PROGRAM_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
  });
  const said = child.stderr ? text(child.stderr) : Promise.resolve('');
  await once(child, 'close');
  return { exitCode: child.exitCode, output: (await said).trim() };
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
