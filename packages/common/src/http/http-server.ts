/**
 * Common to every HTTP server of the platform, a service's own and the ingress: how long
 * it waits for a client.
 *
 * Always holds: no client keeps a connection by doing nothing on it. Headers have a time, and so has
 * an answer that nobody takes; bodies have theirs by route (`body-limits.ts`).
 */
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
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
 * Whether a request names several hosts, which must be refused (RFC 9112, 3.2): Node keeps the
 * first, and what is before or behind it may go by another.
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
    // One for all routes, body included: an upload of a large image may take hours.
    requestTimeout: 0,
  } satisfies ServerOptions;
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
 * An answer that leaves before the body is there closes the connection. Node would read the rest
 * away, for as long as it takes, to keep it.
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
 * A connection that is closed while its client still sends is reset, and the client may lose an
 * answer that it has not read yet. So it is closed in one direction, and what comes is read away
 * for a while (RFC 9112, 9.6).
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
  server.on('connection', (socket: Socket) => {
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
  /** Bytes that wait here for the system to take them. */
  readonly writableLength: number;
  /** Bytes that were written, those that wait included. */
  readonly bytesWritten: number;
}

/** Distinguishes a stalled client from a slow one. */
export class StalledWrites {
  #seen = '';
  #since = 0;

  /** @param limitMs for how long nothing may be taken while something waits */
  constructor(private readonly limitMs: number) {}

  /** @param now milliseconds of a clock that only goes forward */
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
 * Differs once a byte was taken. Node counts a chunk when all of it was; only the handle, which is
 * no documented part of a socket, knows how much of the present one waits.
 */
function progressOf(socket: Writing): string {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return `${socket.bytesWritten - socket.writableLength} ${handle?.writeQueueSize ?? ''}`;
}
