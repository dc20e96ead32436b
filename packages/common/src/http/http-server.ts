/**
 * Time limits of every HTTP server of the platform, services' and the ingress'.
 *
 * Always holds: no client keeps an idle connection. Headers have a limit, and so has an answer that
 * is not read; bodies have limits by route (`body-limits.ts`).
 */
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer, type TlsOptions } from 'node:tls';
import { hasUnreadBody } from './unread-bodies.js';

export interface ClientTimes {
  /** Seconds for all headers of a request. */
  readonly headersSeconds?: number;
  /** Seconds after which a client that reads nothing of its answer is disconnected. */
  readonly unreadSeconds?: number;
  /** Seconds for the rest of a body to be drained after the answer. */
  readonly lingerSeconds?: number;
}

const HEADERS_SECONDS = 30;
const UNREAD_SECONDS = 60;
const KEEP_ALIVE_SECONDS = 65;
const LINGER_SECONDS = 2;

/** Checks per timeout period. */
const LOOKS = 6;

export const SEVERAL_HOSTS = 'The request has more than one Host header.';

/**
 * Whether a request has several hosts, which must be refused (RFC 9112, 3.2): Node uses the first,
 * but proxies may use another.
 */
export function hasSeveralHosts({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** Options that can only be set when the server is created. */
export function serverOptions(times: ClientTimes = {}) {
  const headersTimeout = (times.headersSeconds ?? HEADERS_SECONDS) * 1_000;
  return {
    headersTimeout,
    connectionsCheckingInterval: Math.ceil(headersTimeout / LOOKS),
    keepAliveTimeout: KEEP_ALIVE_SECONDS * 1_000,
    // Not set: it would cover bodies too, and an upload of a large image may take hours.
    requestTimeout: 0,
    /** For TLS. */
    handshakeTimeout: headersTimeout,
  } satisfies ServerOptions & TlsOptions;
}

/** Call it before the server listens. */
export function limitClients(server: Server, times: ClientTimes = {}): void {
  const lingerMs = (times.lingerSeconds ?? LINGER_SECONDS) * 1_000;
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
    closeAfterUnread(request, response, lingerMs),
  );
  disconnectStalled(server, (times.unreadSeconds ?? UNREAD_SECONDS) * 1_000);
}

/**
 * Closes the connection after an answer that precedes the end of the body. To keep it, Node would
 * read the rest, for as long as that takes.
 */
function closeAfterUnread(
  request: IncomingMessage,
  response: ServerResponse,
  lingerMs: number,
): void {
  if (!hasUnreadBody(request)) return;
  let keepsAlive = response.shouldKeepAlive;
  Object.defineProperty(response, 'shouldKeepAlive', {
    // Read when the headers are written.
    get: () => keepsAlive && request.complete,
    set: (value: boolean) => (keepsAlive = value),
  });
  lingerAfter(request, response, lingerMs);
}

/**
 * Closing a connection while its client still sends resets it, and the client may lose the answer.
 * So only the output is closed, and input is discarded for a while (RFC 9112, 9.6).
 */
function lingerAfter(request: IncomingMessage, response: ServerResponse, lingerMs: number): void {
  const { socket } = request;
  const destroySoon = socket.destroySoon.bind(socket);
  // Node calls it once the last answer on a connection is written.
  socket.destroySoon = () => {
    if (request.complete) {
      destroySoon();
      return;
    }
    const end = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(end));
    request.once('end', destroySoon);
    socket.end();
  };
  response.once('close', () => {
    if (request.complete) socket.destroySoon = destroySoon;
  });
}

function disconnectStalled(server: Server, limitMs: number): void {
  const watched = new Map<Socket, StalledWrites>();
  // Of TLS, the socket that answers are written to.
  const connected = server instanceof TlsServer ? 'secureConnection' : 'connection';
  server.on(connected, (socket: Socket) => {
    if (watched.has(socket)) return;
    watched.set(socket, new StalledWrites(limitMs));
    socket.once('close', () => watched.delete(socket));
  });
  server.on('listening', () => {
    const looks = setInterval(() => {
      const now = performance.now();
      for (const [socket, writes] of watched) if (writes.isStalled(socket, now)) socket.destroy();
    }, limitMs / LOOKS);
    looks.unref();
    server.once('close', () => clearInterval(looks));
  });
}

/** The output side of a socket. */
interface Writing {
  /** Bytes that the system has not taken yet. */
  readonly writableLength: number;
  /** Bytes written, including waiting ones. */
  readonly bytesWritten: number;
}

/** Distinguishes a stalled client from a slow one. */
export class StalledWrites {
  #seen = '';
  #since = 0;

  /** @param limitMs for which no byte may be taken while some wait */
  constructor(private readonly limitMs: number) {}

  /** @param now milliseconds of a monotonic clock */
  isStalled(socket: Writing, now: number): boolean {
    const seen = progressOf(socket);
    if (socket.writableLength === 0 || seen !== this.#seen) {
      this.#seen = seen;
      this.#since = now;
      return false;
    }
    return now - this.#since >= this.limitMs;
  }
}

/**
 * Changes once a byte is taken. Node counts whole chunks only; the handle, which is undocumented,
 * knows how much of the current chunk waits.
 */
function progressOf(socket: Writing): string {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return `${socket.bytesWritten - socket.writableLength} ${handle?.writeQueueSize ?? ''}`;
}
