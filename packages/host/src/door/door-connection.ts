/** One connection to a door, of either side: frames in, frames out, as fast as the other side takes them. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { encodeFrame, MAX_BYTES, ProtocolError, readFrames, type Frame } from './frames.js';
import { readFromHost, type FromAgent, type FromHost } from './messages.js';

/** The kernel's bound of a socket's path. Public source: unix(7). */
const MAX_SOCKET_PATH = 107;

export class DoorConnection {
  readonly #frames: AsyncGenerator<Frame>;
  /** Aborted once either side has ended the connection. */
  readonly ended: AbortSignal;

  constructor(private readonly socket: Socket) {
    const ended = new AbortController();
    this.ended = ended.signal;
    // An error is followed by the end, which is all that matters.
    socket.on('error', () => undefined);
    socket.once('close', () => ended.abort());
    // Whoever does not follow the protocol is still told so.
    this.#frames = readFrames(socket.iterator({ destroyOnReturn: false }));
  }

  /** @returns undefined at the end of the connection @throws ProtocolError */
  async read(): Promise<Frame | undefined> {
    const next = await this.#frames.next().catch((error: unknown) => {
      if (error instanceof ProtocolError) throw error;
      // The connection broke.
      return { done: true, value: undefined } as const;
    });
    return next.done ? undefined : next.value;
  }

  async sendMessage(message: FromHost | FromAgent): Promise<void> {
    await this.#write(encodeFrame('message', Buffer.from(JSON.stringify(message))));
  }

  /** Returns once the other side has taken most of it. */
  async send(kind: 'file' | 'stdout' | 'stderr', bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; at += MAX_BYTES)
      await this.#write(encodeFrame(kind, bytes.subarray(at, at + MAX_BYTES)));
  }

  /** What has been sent still arrives. */
  close(): void {
    this.socket.end();
    this.socket.destroySoon();
  }

  async #write(bytes: Buffer): Promise<void> {
    if (!this.socket.writable || this.socket.write(bytes)) return;
    await once(this.socket, 'drain', { signal: this.ended }).catch(() => undefined);
  }
}

/** @throws the system's error if nobody answers there */
export async function openDoor(path: string): Promise<DoorConnection> {
  const socket = connect(path);
  await once(socket, 'connect');
  return new DoorConnection(socket);
}

/** @returns undefined at the end of the connection @throws ProtocolError */
export async function readMessage(door: DoorConnection): Promise<FromHost | undefined> {
  const frame = await door.read();
  if (frame === undefined) return undefined;
  if (frame.kind !== 'message') throw new ProtocolError('a message was expected');
  return readFromHost(frame.body);
}

export function requireSocketPath(path: string): string {
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return path;
  throw new Error(`The path of a socket may have ${MAX_SOCKET_PATH} bytes at most: ${path}`);
}
