/**
 * The layout of one guest's files. Sockets are reached relative to the folder, since a unix
 * socket's path is limited to 107 bytes and a data directory's is not.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { requireGuestId } from '../guest-id.js';

export interface GuestFolder {
  readonly guestId: string;
  readonly path: string;
  readonly disk: string;
  readonly configDrive: string;
  readonly console: string;
  /** Written, locked for its whole life and removed by QEMU itself. */
  readonly pidFile: string;
}

/** The name of QEMU's monitor socket inside the guest's folder. */
export const QMP_SOCKET = 'qmp.sock';

/** Throws `bug` for an id that is not a UUID in lower case with dashes. */
export function guestFolder(guestsFolder: string, guestId: string): GuestFolder {
  requireGuestId(guestId);
  const path = join(guestsFolder, guestId);
  return {
    guestId,
    path,
    disk: join(path, 'disk.qcow2'),
    configDrive: join(path, 'config-drive.iso'),
    console: join(path, 'console.log'),
    pidFile: join(path, 'qemu.pid'),
  };
}

export async function makeGuestFolder(folder: GuestFolder): Promise<void> {
  await mkdir(folder.path, { recursive: true, mode: 0o700 });
}
