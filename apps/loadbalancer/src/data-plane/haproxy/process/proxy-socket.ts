/**
 * Commands to a load balancer's HAProxy, all by the socket of its master, which passes them on to the
 * process that carries the traffic: one of that process's own could, during a reload, be answered by
 * its predecessor. Public source: HAProxy Management Guide, "9.4. Master CLI".
 *
 * It is found wherever its folder is: the socket is named by a descriptor: its path would be
 * too long for a socket's (107 bytes), and a HAProxy that was taken over could put a link to
 * another's in its place.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { toWorker, type Command } from '../runtime/commands.js';
import type { BalancerFolder } from './balancer-folder.js';

/** Linux's O_PATH, which Node does not name: the name's own file, whatever it is, and unopened. */
const O_PATH = 0o10000000;
const ANSWER_TIMEOUT_MS = 5000;
/** A hostile process could answer for ever. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Of the folder that HAProxy starts in. */
export const MASTER_SOCKET = 'run/master.sock';

/**
 * Tells the process that carries the traffic.
 * @returns all that it answers
 * @throws as `askMaster`
 */
export function askWorker(folder: BalancerFolder, ...commands: Command[]): Promise<string> {
  return askMaster(folder, toWorker(...commands));
}

/**
 * @returns all that it answers
 * @throws the system's ENOENT or ECONNREFUSED if nobody listens; Error if the answer does not end
 */
export async function askMaster({ path }: BalancerFolder, command: Command): Promise<string> {
  const file = await open(join(path, MASTER_SOCKET), O_PATH | constants.O_NOFOLLOW);
  try {
    return await converse(`/proc/self/fd/${file.fd}`, command);
  } finally {
    await file.close();
  }
}

function converse(path: string, command: Command): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const socket = connect(path);
    socket.setTimeout(ANSWER_TIMEOUT_MS, () =>
      socket.destroy(new Error('HAProxy does not answer')),
    );
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) socket.destroy(new Error('HAProxy answers without end'));
    });
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.end(`${command}\n`);
  });
}
