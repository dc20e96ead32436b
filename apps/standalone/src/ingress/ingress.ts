/**
 * One port for all services of a process: the first path segment chooses the service, which sees
 * the rest. Requests are passed on in process, without a second connection.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { createServer as createGuestServer, type AddressInfo, type Socket } from 'node:net';
import { platformEnvelope, type ErrorEnvelope } from '@cumulet/common/http/error-envelope';
import { continueOnRead } from '@cumulet/common/http/unread-bodies';
import {
  hasSeveralHosts,
  limitClients,
  SEVERAL_HOSTS,
  serverOptions,
  type ClientTimes,
} from '@cumulet/common/http/http-server';
import { readProxyLine } from '@cumulet/common/http/proxy-protocol';
import { newRequestId, requestIdHeaders } from '@cumulet/common/context/request-id';
import { answerUnreadable } from '@cumulet/common/http/unreadable-request';
import {
  asksForWebSocket,
  refusedForVersion,
  serveWithoutUpgrade,
  UpgradedSockets,
} from '@cumulet/common/http/upgrades';

export interface IngressTarget {
  /** The body of its errors; by default the platform's own. */
  readonly envelope?: ErrorEnvelope;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Takes over the connection of a client that asks for a WebSocket, and answers it. Without this,
   * `handle` gets the request, as if the client had not asked.
   * @param head what the client has sent already
   */
  readonly upgrade?: ((request: IncomingMessage, socket: Socket, head: Buffer) => void) | undefined;
}

/** Node's, with the bytes that it could not parse. */
type UnreadableError = Error & { readonly rawPacket?: Buffer };

export class Ingress {
  /** A service that is still starting has its place, but no target yet. */
  readonly #targets = new Map<string, IngressTarget | undefined>();
  readonly #server: Server;
  /** Serves the guests' door, which only this machine can reach. */
  readonly #guests = createGuestServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    this.#others.add(socket);
    readProxyLine(socket, () => this.#server.emit('connection', socket));
  });
  /** Connections of guests, and upgraded ones, which the server does not track. */
  readonly #others = new UpgradedSockets();

  constructor(times: ClientTimes = {}) {
    // Node's own refusal of a missing host, or of an unknown expectation, has no body.
    const options = { ...serverOptions(times), requireHostHeader: false };
    this.#server = createServer(options, (request, response) => this.#dispatch(request, response));
    limitClients(this.#server, times);
    continueOnRead(this.#server);
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(request, socket as Socket, head),
    );
    this.#server.on('clientError', (error: UnreadableError, socket: Duplex) =>
      answerUnreadable(error, socket as Socket, this.#envelopeOf(error)),
    );
  }

  /** Keeps a path for a service that is starting: until then it answers 503. */
  reserve(path: string): void {
    this.#targets.set(path.slice(1), undefined);
  }

  /** @param path the ingress path: `/compute` */
  mount(path: string, target: IngressTarget): void {
    this.#targets.set(path.slice(1), target);
  }

  /** @returns the port, chosen by the system where `port` is 0 */
  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /**
   * Listens for the guests' door on this machine, which says first which guest asks: each has an address
   * of its own. Call it after `listen`.
   * @returns the port of 127.0.0.1
   */
  async listenForGuests(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#guests.once('error', reject);
      this.#guests.listen(0, '127.0.0.1', () => {
        this.#guests.off('error', reject);
        resolve();
      });
    });
    return (this.#guests.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = Promise.all([closing(this.#server), closing(this.#guests)]);
    this.#server.closeIdleConnections();
    // A client's idle connection does not keep the process alive.
    const force = setTimeout(() => {
      this.#server.closeAllConnections();
      this.#others.destroy();
    }, 2_000);
    await closed;
    clearTimeout(force);
  }

  /** The envelope of the service in the request line, if it can be read. */
  #envelopeOf({ rawPacket }: UnreadableError): ErrorEnvelope {
    const [, name = ''] =
      /^[A-Z]+ \/([\w-]+)/.exec(rawPacket?.toString('latin1', 0, 256) ?? '') ?? [];
    return this.#targets.get(name)?.envelope ?? platformEnvelope;
  }

  #dispatch(request: IncomingMessage, response: ServerResponse): void {
    if (request.httpVersion === '1.1' && request.headers.host === undefined) {
      answer(response, 400, 'badRequest', 'The request has no Host header.');
      return;
    }
    if (hasSeveralHosts(request)) {
      answer(response, 400, 'badRequest', SEVERAL_HOSTS);
      return;
    }
    const { name, rest } = placeOf(request);
    const target = this.#targets.get(name);
    if (!target) {
      this.#refuse(name, response);
      return;
    }
    request.url = rest;
    target.handle(request, response);
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const { name, rest } = placeOf(request);
    const target = this.#targets.get(name);
    if (!target?.upgrade || !asksForWebSocket(request) || hasSeveralHosts(request)) {
      serveWithoutUpgrade(this.#server, request, socket, head);
      return;
    }
    this.#others.add(socket);
    if (refusedForVersion(request, socket, target.envelope ?? platformEnvelope)) return;
    request.url = rest;
    target.upgrade(request, socket, head);
  }

  #refuse(name: string, response: ServerResponse): void {
    const paths = [...this.#targets.keys()].map((path) => `/${path}`).join(', ');
    if (name === '') answer(response, 300, 'multipleChoices', `The services are at ${paths}.`);
    else if (this.#targets.has(name)) {
      response.setHeader('Retry-After', '1');
      answer(response, 503, 'serviceUnavailable', `The service at /${name} is starting.`);
    } else answer(response, 404, 'itemNotFound', `No service is at /${name}; there are ${paths}.`);
  }
}

/** Ignores a server that does not listen. */
function closing(server: { close(done: () => void): void }): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** The service that a request names, and the address that is left for it. */
function placeOf({ url: target = '/' }: IncomingMessage): { name: string; rest: string } {
  const url = originForm(target);
  const end = url.slice(1).search(/[/?]/);
  const name = end < 0 ? url.slice(1) : url.slice(1, end + 1);
  const rest = end < 0 ? '' : url.slice(end + 1);
  return { name, rest: rest.startsWith('/') ? rest : `/${rest}` };
}

/** The path and query of an absolute URL, which servers accept too (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '');
  return path === target || path.startsWith('/') ? path : `/${path}`;
}

function answer(response: ServerResponse, code: number, key: string, message: string): void {
  const body = JSON.stringify({ [key]: { code, message } });
  response.writeHead(code, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...requestIdHeaders(newRequestId()),
  });
  response.end(body);
}
