/**
 * One start of a guest at a time, and one machine: an flock(2) on a file in its folder, which QEMU
 * inherits and so holds for its whole life, however that ends. QEMU's own lock, on a pid file, is
 * no use here: it resolves that file's path from the root, where its user may not pass.
 *
 * Node has no call for flock. The lock belongs to the open file, so the program flock(1) takes it
 * on an inherited descriptor, exits, and leaves it with us.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { PROGRAM_ENVIRONMENT } from '@cumulet/common/programs/run-program';
import { HypervisorError } from '../hypervisor-error.js';
import type { GuestFolder } from './guest-folder.js';
import { GuestAlreadyStartedError } from './qemu-start-failure.js';

/** The exit code of `flock -n` if another holds the lock. */
const HELD_BY_ANOTHER = 1;

/**
 * Takes the guest's lock without waiting.
 *
 * @param flock the path of flock
 * @returns the open file; the lock ends once all processes that have it open have closed it
 * Throws GuestAlreadyStartedError if a machine, or another start, holds it.
 */
export async function lockGuest(flock: string, folder: GuestFolder): Promise<FileHandle> {
  const file = await open(folder.lock, 'a', 0o600);
  try {
    const stdio = ['ignore', 'ignore', 'ignore', file.fd] as const;
    const child = spawn(flock, ['-n', '3'], { stdio: [...stdio], env: PROGRAM_ENVIRONMENT });
    const [exitCode] = (await once(child, 'exit').catch(missing)) as [number | null];
    if (exitCode === HELD_BY_ANOTHER) throw new GuestAlreadyStartedError();
    if (exitCode !== 0) {
      throw new HypervisorError('transient', 'The server could not be locked.', exitCode);
    }
    // A lock on a file that was removed meanwhile excludes nobody.
    const [locked, named] = await Promise.all([file.stat(), stat(folder.lock)]);
    if (locked.ino !== named.ino) throw new GuestAlreadyStartedError();
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function missing(error: unknown): never {
  throw new HypervisorError('missing-program', 'A program of the host is missing.', error);
}
