/**
 * HTTP requests to a sister service, whichever of its replicas answers. Whatever calls a sister by
 * its URL does so here.
 *
 * Always holds: requests go to the replicas in turn. One that was certainly never handled is sent
 * again, to another replica if there is one: no connection came about, or the replica refused because
 * it is being stopped. If a connection is lost later, only a GET or HEAD is sent again, once.
 */
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { errors, Pool, type Dispatcher } from 'undici';
import { trusted } from '@cumulet/common/tls/tls';
import { UNHANDLED_HEADER } from '@cumulet/common/service/drain';
import { ReplicaAddresses, type AddressOptions } from './replica-addresses.js';

export interface ReplicaOptions extends AddressOptions {
  /** Connect timeout in milliseconds; 2 s by default. */
  readonly connectTimeout?: number;
  /** Timeout in milliseconds for the headers, and between two chunks of a body; 15 s by default. */
  readonly responseTimeout?: number;
  /** Maximum concurrent connections to each replica; 16 by default. */
  readonly connections?: number;
  /** Milliseconds to wait before each further try of a request that was never handled. */
  readonly unhandledPauses?: readonly number[];
}

export interface ReplicaRequest {
  readonly method: Dispatcher.HttpMethod;
  /** With any query, if `query` is absent. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** A stream is sent again only if nothing was read from it. */
  readonly body?: string | Buffer | Readable | undefined;
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
}

/** The first is for another replica, the others for one that starts. */
const UNHANDLED_PAUSES = [0, 100, 500];
const SAFE_METHODS = new Set<Dispatcher.HttpMethod>(['GET', 'HEAD']);
/** Codes of undici and Node for a connection that broke after it had come about. */
const LOST = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

export class Replicas {
  readonly #base: URL;
  readonly #addresses: ReplicaAddresses;
  readonly #options: Pool.Options;
  /** Of each known address to which a request was sent. */
  readonly #pools = new Map<string, Pool>();
  /** Whose requests in progress may end. */
  readonly #retired = new Set<Pool>();
  #isClosed = false;
  readonly #pauses: readonly number[];
  readonly #deadline: number;
  /** Errors of requests for which no connection came about. */
  readonly #unsent = new WeakSet();

  /** @param baseUrl of which only the origin counts */
  constructor(baseUrl: string, options: ReplicaOptions = {}) {
    this.#base = new URL(baseUrl);
    this.#addresses = new ReplicaAddresses(addressIn(this.#base), options);
    this.#options = connectionsOf(options);
    this.#pauses = options.unhandledPauses ?? UNHANDLED_PAUSES;
    this.#deadline = options.responseTimeout ?? 15_000;
    this.#addresses.onKnown = (known) => {
      const gone = [...this.#pools.keys()].filter((address) => !known.includes(address));
      for (const address of gone) this.#retire(address);
    };
  }

  /** @throws undici's error, the resolver's, or the signal's reason */
  async request(request: ReplicaRequest): Promise<Dispatcher.ResponseData> {
    const body = new Body(request.body);
    const end = performance.now() + this.#deadline;
    const canWait = (pause: number | undefined): pause is number =>
      pause !== undefined && !body.isTaken && performance.now() + pause < end;
    let isRepeatable = SAFE_METHODS.has(request.method);
    try {
      for (let attempt = 0; ; attempt += 1) {
        const pause = this.#pauses[attempt];
        try {
          const answer = await this.#attempt(request, body);
          if (!isUnhandled(answer) || !canWait(pause)) return answer;
          await answer.body.dump();
        } catch (error) {
          const isOver = this.isClosed || request.signal?.aborted === true;
          const isLost = LOST.has(codeOf(error));
          const mayRepeat = this.#unsent.has(error as object) || (isLost && isRepeatable);
          if (isOver || !mayRepeat || !canWait(pause)) throw error;
          if (isLost) isRepeatable = false;
        }
        await setTimeout(pause, undefined, request.signal ? { signal: request.signal } : {});
      }
    } catch (error) {
      body.destroy();
      throw error;
    }
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Aborts all requests in progress, and closes the connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const pools = [...this.#pools.values(), ...this.#retired];
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  async #attempt(request: ReplicaRequest, body: Body): Promise<Dispatcher.ResponseData> {
    const address = await this.#next();
    const { method, path, query, signal } = request;
    try {
      const answer = await this.#poolOf(address).request({
        method,
        path,
        // Of the name, which TLS verifies too.
        headers: { ...request.headers, host: this.#base.host },
        ...(query ? { query } : {}),
        body: body.take(),
        signal: signal ?? null,
      });
      if (isUnhandled(answer)) this.#addresses.failed(address);
      else this.#addresses.connected(address);
      return answer;
    } catch (error) {
      // Its machine may have lost power, which leaves connections that look as if they were there.
      if (codeOf(error) === 'UND_ERR_HEADERS_TIMEOUT') this.#retire(address);
      throw error;
    }
  }

  #poolOf(address: string): Pool {
    const known = this.#pools.get(address);
    if (known) return known;
    if (this.#isClosed) throw new errors.ClientDestroyedError();
    const pool = new Pool(this.#originAt(address), this.#options);
    const addresses = this.#addresses;
    pool.on('connect', () => addresses.connected(address));
    pool.on('disconnect', () => addresses.disconnected(address));
    pool.on('connectionError', (_origin, _targets, error) => {
      addresses.failed(address);
      // undici fails the waiting requests with this very error.
      this.#unsent.add(error);
    });
    this.#pools.set(address, pool);
    return pool;
  }

  /** Closes each connection to an address once it has no request. */
  #retire(address: string): void {
    const pool = this.#pools.get(address);
    if (!pool) return;
    this.#pools.delete(address);
    this.#retired.add(pool);
    pool.close(() => this.#retired.delete(pool));
  }

  async #next(): Promise<string> {
    try {
      return await this.#addresses.next();
    } catch (error) {
      this.#unsent.add(error as object);
      throw error;
    }
  }

  #originAt(address: string): string {
    const { protocol, port } = this.#base;
    const host = address.includes(':') ? `[${address}]` : address;
    return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
  }
}

/** The one place that says how connections to sisters are made. */
function connectionsOf(options: ReplicaOptions): Pool.Options {
  const timeout = options.responseTimeout ?? 15_000;
  return {
    connections: options.connections ?? 16,
    connect: { timeout: options.connectTimeout ?? 2_000, ...trusted() },
    headersTimeout: timeout,
    bodyTimeout: timeout,
  };
}

function isUnhandled({ headers }: Dispatcher.ResponseData): boolean {
  return headers[UNHANDLED_HEADER] !== undefined;
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? '';
}

/** An IPv6 address stands in brackets in URLs. */
function addressIn({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** A body that can be sent again until the first byte of a stream is read. */
class Body {
  isTaken = false;

  constructor(private readonly source: ReplicaRequest['body']) {
    // It is read only once a connection is there; until then it may fail unheard.
    if (source instanceof Readable) source.on('error', () => undefined);
  }

  /** undici destroys a stream that it cannot send, so each attempt has one of its own. */
  take(): string | Buffer | Readable | null {
    const { source } = this;
    return source instanceof Readable ? Readable.from(this.#read(source)) : (source ?? null);
  }

  destroy(): void {
    if (this.source instanceof Readable) this.source.destroy();
  }

  async *#read(source: Readable): AsyncGenerator {
    this.isTaken = true;
    yield* source as AsyncIterable<unknown>;
  }
}
