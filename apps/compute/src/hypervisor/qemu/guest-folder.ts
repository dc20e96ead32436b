/**
 * The layout of a guest's files, and their owners. QEMU starts in this folder and names files from
 * there: its user cannot enter the folders above.
 *
 * Always holds: QEMU's user can create nothing in the folder, so no name in it can come to mean
 * another file; only the folder of its sockets is writable.
 */
import { chmod, lchown, mkdir, readdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { constants } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Account } from '@cumulet/common/programs/own-users';
import { requireGuestId, numberOf, type LocalDisk } from '../ports/guest-spec.js';
import { errorCode, HypervisorError } from '../hypervisor-error.js';

export interface GuestFolder {
  readonly guestId: string;
  readonly path: string;
  readonly disk: string;
  /** Booted during a rescue. */
  readonly rescueDisk: string;
  readonly configDrive: string;
  readonly console: string;
  /** A hint at the guest's process, which may be stale. */
  readonly pidFile: string;
  /** Exists while the guest's memory is on its disk: until it is gone, no machine may run. */
  readonly suspended: string;
  /** Exists while the guest's file systems may be frozen. */
  readonly frozen: string;
  /** Locked for the life of the machine. */
  readonly lock: string;
  readonly monitor: string;
}

export const DISK = 'disk.qcow2';
export const RESCUE_DISK = 'rescue.qcow2';
/** QEMU's monitor socket, and that of versions before it had a folder. */
export const QMP_SOCKET = 'monitor/qmp.sock';
export const EARLIER_QMP_SOCKET = 'qmp.sock';
/** The sockets of the screen, and of the serial console while it is open. */
export const DISPLAY_SOCKET = 'monitor/vnc.sock';
export const SERIAL_SOCKET = 'monitor/serial.sock';
export const AGENT_SOCKET = 'monitor/agent.sock';
export const UEFI_VARIABLES = 'uefi-variables.qcow2';

/** Throws `bug` unless the ID is a UUID in lower case with dashes. */
export function guestFolder(guestsFolder: string, guestId: string): GuestFolder {
  requireGuestId(guestId);
  const path = join(guestsFolder, guestId);
  return {
    guestId,
    path,
    disk: join(path, DISK),
    rescueDisk: join(path, RESCUE_DISK),
    configDrive: join(path, 'config-drive.iso'),
    console: join(path, 'console.log'),
    pidFile: join(path, 'qemu.pid'),
    suspended: join(path, 'suspended'),
    frozen: join(path, 'frozen'),
    lock: join(path, 'qemu.lock'),
    monitor: join(path, 'monitor'),
  };
}

const LOCAL_DISK = /^disk\.local\d+$/;

/** The name of a local disk. @param index its place among them */
export function localDiskFile(disk: Pick<LocalDisk, 'at'>, index: number): string {
  return `disk.local${numberOf(disk, index)}`;
}

export async function localDiskFiles(folder: GuestFolder): Promise<string[]> {
  try {
    return (await readdir(folder.path)).filter((name) => LOCAL_DISK.test(name)).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Files that QEMU writes: disks, and UEFI's variables. */
const WRITTEN = /^(disk\.qcow2|rescue\.qcow2|disk\.local\d+|uefi-variables\.qcow2)$/;

export async function makeGuestFolder(folder: GuestFolder): Promise<void> {
  await mkdir(folder.path, { recursive: true, mode: 0o700 });
}

/**
 * Gives QEMU's user what QEMU writes to. Done before each start: a disk may be from a time when
 * QEMU ran as another user.
 * @param account that QEMU runs as; undefined: this process's
 */
export async function handOver(folder: GuestFolder, account: Account | undefined): Promise<void> {
  // Without the folder above, which would bring back a guest that was removed meanwhile.
  await mkdir(folder.monitor, { mode: 0o700 }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  if (account === undefined) return;
  await lchown(folder.monitor, account.uid, account.gid);
  for (const name of await readdir(folder.path)) {
    if (!WRITTEN.test(name)) continue;
    await lchown(join(folder.path, name), account.uid, account.gid);
    await chmod(join(folder.path, name), 0o600);
  }
  // To be passed through, not listed or changed.
  await chmod(folder.path, 0o711);
}

/** Linux's O_PATH, which Node does not name: opens the name, whatever it is, not its content. */
const O_PATH = 0o10000000;

/**
 * Names a socket by a descriptor: its path would exceed the 107 bytes of a socket's, and a
 * compromised QEMU could replace it by a link to another guest's.
 * @param name within the guest's folder
 */
export function openSocketFile(folder: GuestFolder, name: string): Promise<FileHandle> {
  return open(join(folder.path, name), O_PATH | constants.O_NOFOLLOW);
}

/** Valid as long as the file is open. */
export function socketPath(file: FileHandle): string {
  return `/proc/self/fd/${file.fd}`;
}

/** Throws `not-ready` if QEMU has no such socket. */
export async function connectConsole(folder: GuestFolder, name: string): Promise<Socket> {
  const file = await openSocketFile(folder, name).catch(refused);
  try {
    const socket = connect(socketPath(file));
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    }).catch(refused);
    return socket;
  } finally {
    await file.close();
  }
}

function refused(error: unknown): never {
  const code = errorCode(error);
  if (code !== 'ENOENT' && code !== 'ECONNREFUSED') throw error;
  throw new HypervisorError('not-ready', 'The machine of the server has no such channel.', error);
}
