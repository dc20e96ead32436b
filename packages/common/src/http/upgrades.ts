/**
 * Handles Upgrade requests. With a listener, Node hands over the bare connection of each, whatever
 * the protocol. Those for WebSocket routes are separated from others, which are served as if they
 * had not asked, as a server may always do (RFC 9110, 7.8). Clients routinely ask for `h2c`.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { ErrorEnvelope } from './error-envelope.js';
import { refuseOutright } from './unreadable-request.js';

/** The only version (RFC 6455, 4.1). */
export const WEBSOCKET_VERSION = '13';

/** A provider of a service that speaks WebSocket; there is at most one. */
export abstract class WebSockets {
  /**
   * Takes over a connection that asks for a WebSocket, and answers it, whatever its path.
   * @param head bytes already received
   */
  abstract upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
}

/** Upgraded connections, which closing the server leaves open. */
export class UpgradedSockets {
  readonly #sockets = new Set<Socket>();

  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/**
 * For a server of its own; other requests are served as before.
 * @param isOpen whether upgrades are taken at present; if not, the service answers why
 */
export function takeWebSockets(
  server: Server,
  upgrade: WebSockets['upgrade'],
  envelope: ErrorEnvelope,
  isOpen: () => boolean,
): void {
  server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    const socket = connection as Socket;
    if (!asksForWebSocket(request) || !isOpen()) serveWithoutUpgrade(server, request, socket, head);
    else if (!refusedForVersion(request, socket, envelope)) upgrade(request, socket, head);
  });
}

/** Refuses an unsupported WebSocket version. @returns whether it did */
export function refusedForVersion(
  { headers }: IncomingMessage,
  socket: Socket,
  envelope: ErrorEnvelope,
): boolean {
  if (headers['sec-websocket-version'] === WEBSOCKET_VERSION) return false;
  const message = `Only WebSocket version ${WEBSOCKET_VERSION} is supported.`;
  refuseOutright(socket, { status: 426, message }, envelope, undefined, {
    Connection: 'close, Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': WEBSOCKET_VERSION,
  });
  return true;
}

export function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.trim().toLowerCase() === 'websocket';
}

/**
 * Returns the connection to its server, with the request as an HTTP/1.1 client would have sent it.
 * @param head bytes received after the headers
 */
export function serveWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const { method = 'GET', url = '/', httpVersion } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`, ...headerLines(request)];
  const headers = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  socket.unshift(Buffer.concat([headers, head]));
  server.emit('connection', socket);
}

function headerLines(request: IncomingMessage): string[] {
  const { rawHeaders } = request;
  const lines = rawHeaders.flatMap((name, at) => {
    const isKept = at % 2 === 0 && !/^(upgrade|connection|http2-settings)$/i.test(name);
    return isKept ? [`${name}: ${rawHeaders[at + 1] ?? ''}`] : [];
  });
  // A client that asked for a WebSocket does not reuse its connection.
  const closes = asksForWebSocket(request) || /\bclose\b/i.test(request.headers.connection ?? '');
  return closes ? [...lines, 'Connection: close'] : lines;
}
