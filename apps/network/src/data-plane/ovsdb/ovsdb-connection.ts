/**
 * A connection to an OVSDB server, by JSON-RPC 1.0 over a stream. It answers echo requests and
 * sends its own: a server that sends nothing for ten seconds counts as disconnected. Public source:
 * RFC 7047, section 4.
 */
import { connect, type Socket } from 'node:net';
import { JsonSplitter } from './json-splitter.js';

const SILENCE_MS = 5_000;

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: readonly unknown[];
  readonly result?: unknown;
  readonly error?: unknown;
}

interface Call {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export interface ConnectionListener {
  /** Called for each notification of the server. */
  notified(method: string, params: readonly unknown[]): void;
  closed(reason: Error): void;
}

export class OvsdbConnection {
  readonly #calls = new Map<number, Call>();
  readonly #splitter = new JsonSplitter();
  readonly #probe: NodeJS.Timeout;
  #lastId = 0;
  #silentRounds = 0;
  #failure: Error | undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly listener: ConnectionListener,
  ) {
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => this.#receive(chunk));
    socket.on('error', (error) => (this.#failure ??= error));
    socket.on('close', () => this.#close());
    this.#probe = setInterval(() => this.#askForLife(), SILENCE_MS).unref();
  }

  /** @param address `unix:<path>` or `tcp:<host>:<port>` @throws Error if nobody listens there */
  static open(address: string, listener: ConnectionListener): Promise<OvsdbConnection> {
    const socket = connect(placeOf(address));
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new OvsdbConnection(socket, listener));
      });
    });
  }

  /**
   * @param take gets the answer before any later message of the server is handled
   * @throws Error if the server refuses the method, or the connection ends before the answer
   */
  call<T = unknown>(
    method: string,
    params: readonly unknown[],
    take: (result: unknown) => T = (result) => result as T,
  ): Promise<T> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      if (this.socket.destroyed) {
        reject(this.#reason());
        return;
      }
      this.#calls.set(id, { resolve: (result) => resolve(take(result)), reject });
      this.#send({ method, params, id });
    });
  }

  end(): void {
    this.socket.destroy();
  }

  #receive(chunk: string): void {
    this.#silentRounds = 0;
    try {
      for (const text of this.#splitter.push(chunk)) this.#take(JSON.parse(text) as Message);
    } catch (error) {
      this.socket.destroy(error as Error);
    }
  }

  #take({ id, method, params = [], result, error }: Message): void {
    if (method === 'echo') this.#send({ id, result: params, error: null });
    else if (method !== undefined) this.listener.notified(method, params);
    else {
      const call = this.#calls.get(id as number);
      this.#calls.delete(id as number);
      if (error === null || error === undefined) call?.resolve(result);
      else call?.reject(new Error(`The server refused: ${JSON.stringify(error)}`));
    }
  }

  #send(message: Message): void {
    this.socket.write(JSON.stringify(message));
  }

  #askForLife(): void {
    if (++this.#silentRounds > 2) this.socket.destroy(new Error('The server sends nothing.'));
    else this.call('echo', []).catch(() => undefined);
  }

  #reason(): Error {
    return this.#failure ?? new Error('The connection was closed.');
  }

  #close(): void {
    clearInterval(this.#probe);
    for (const { reject } of this.#calls.values()) reject(this.#reason());
    this.#calls.clear();
    this.listener.closed(this.#reason());
  }
}

/** @throws Error for an address of any other form */
export function placeOf(address: string): { path: string } | { host: string; port: number } {
  const unix = /^unix:(.+)$/.exec(address);
  if (unix?.[1] !== undefined) return { path: unix[1] };
  const tcp = /^tcp:\[?([^\]]+?)\]?:(\d+)$/.exec(address);
  if (tcp?.[1] !== undefined) return { host: tcp[1], port: Number(tcp[2]) };
  throw new Error(`${address} is neither unix:<path> nor tcp:<host>:<port>`);
}
