/**
 * Sends commands to a load balancer's HAProxy by its master's socket, which forwards them to the
 * current worker:
 * during a reload, a worker's own socket could be its predecessor's.
 * Public source: HAProxy Management Guide, "9.4. Master CLI".
 *
 * The socket is addressed by a file descriptor of its folder: its path could exceed the limit of 107
 * bytes, and a compromised HAProxy could replace it by a link to another's.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { toWorker, type Command } from '../runtime/commands.js';
import type { BalancerFolder } from './balancer-folder.js';

/** Linux's O_PATH, which Node lacks: opens the entry itself, without its content. */
const O_PATH = 0o10000000;
const ANSWER_TIMEOUT_MS = 5000;
/** A compromised process could answer forever. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Relative to the folder that HAProxy starts in. */
export const MASTER_SOCKET = 'run/master.sock';

/**
 * Sends commands to the worker with the traffic.
 * @returns the whole answer
 * @throws as `askMaster`
 */
export function askWorker(folder: BalancerFolder, ...commands: Command[]): Promise<string> {
  return askMaster(folder, toWorker(...commands));
}

/**
 * @returns the whole answer
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
