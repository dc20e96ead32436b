/**
 * The sockets of a guest's QEMU, wherever its folder is. A socket is named by a descriptor: its path
 * would be too long for a socket's (107 bytes), and a QEMU that was taken over could put a link to
 * another guest's in its place.
 */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { errorCode, HypervisorError } from '../hypervisor-error.js';
import type { GuestFolder } from './guest-folder.js';

/** Linux's O_PATH, which Node does not name: the name's own file, whatever it is, and unopened. */
const O_PATH = 0o10000000;

/** @param name within the guest's folder */
export function openSocketFile(folder: GuestFolder, name: string): Promise<FileHandle> {
  return open(join(folder.path, name), O_PATH | constants.O_NOFOLLOW);
}

/** The path by which a socket is connected to, as long as its file is open. */
export function socketPath(file: FileHandle): string {
  return `/proc/self/fd/${file.fd}`;
}

/** Connects to a console, or the agent's channel. Throws `not-ready` if QEMU has no such socket. */
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
