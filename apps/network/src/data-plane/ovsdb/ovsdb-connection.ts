/**
 * A connection to an OVSDB server, by JSON-RPC 1.0 over a stream. It answers echo requests and
 * sends its own: a server that sends nothing for ten seconds counts as disconnected. Public source:
 * RFC 7047, section 4.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { OvsdbServer } from './ovsdb-address.js';
import { secureOptions } from './ovsdb-certificates.js';
import { JsonSplitter } from './json-splitter.js';

const SILENCE_MS = 5_000;
const CONNECT_MS = 5_000;

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

  /** @throws Error if nobody listens there, or not with a certificate of the same authority */
  static async open(server: OvsdbServer, listener: ConnectionListener): Promise<OvsdbConnection> {
    const isSecure = 'method' in server && server.method === 'ssl';
    const socket = isSecure ? connectSecurely({ ...server, ...secureOptions() }) : connect(server);
    const signal = AbortSignal.timeout(CONNECT_MS);
    try {
      await once(socket, isSecure ? 'secureConnect' : 'connect', { signal });
    } catch (error) {
      socket.destroy();
      throw error;
    }
    return new OvsdbConnection(socket, listener);
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

  /** @param reason of the calls that are not answered yet */
  end(reason?: Error): void {
    this.socket.destroy(reason);
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
