/**
 * Consoles as WebSockets, which carry the bytes of a guest's screen or serial port unchanged. Only
 * the server's host can open one; other processes relay the connection.
 *
 * Always holds: a token opens one console, whichever process it reaches. For an invalid token the
 * WebSocket is opened and closed at once, as by Nova.
 */
import type { IncomingMessage } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Logger } from 'pino';
import { createWebSocketStream, WebSocketServer, type WebSocket } from 'ws';
import { RequestContext } from '@cumulet/common/context/request-context';
import { newRequestId } from '@cumulet/common/context/request-id';
import { trusted } from '@cumulet/common/tls/tls';
import { WebSockets } from '@cumulet/common/http/upgrades';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from '../config.js';
import { HostRepository } from '../hosts/host.repository.js';
import { HYPERVISOR, type HypervisorDriver } from '../hypervisor/hypervisor-driver.js';
import { ServerRepository } from '../servers/server.repository.js';
import { CONSOLE_TYPES, type ConsoleType } from './console-token.repository.js';
import { CONSOLES_PATH } from './remote-consoles.js';
import { ConsoleTokens } from './console-token.repository.js';

/** Marks a relayed request, so that it is not relayed again. */
const RELAYED = 'x-cumulet-relayed';

/** Limits one message of a client: keys, mouse moves, a pasted text. */
const MAX_MESSAGE_BYTES = 1024 * 1024;

type Opened = { readonly console: Duplex } | { readonly relay: URL } | undefined;

@Injectable()
export class ConsoleStreams extends WebSockets {
  readonly #handshakes = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: (offered) => (offered.has('binary') ? 'binary' : false),
  });

  constructor(
    private readonly tokens: ConsoleTokens,
    private readonly servers: ServerRepository,
    private readonly hosts: HostRepository,
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: ComputeConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    // Absent from processes that only answer requests.
    @Optional() @Inject(HYPERVISOR) private readonly hypervisor?: HypervisorDriver,
  ) {
    super();
  }

  override upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    this.#open(request)
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'a console could not be opened');
        return undefined;
      })
      .then((opened) => {
        if (opened && 'relay' in opened) relay(request, socket, head, opened.relay);
        else this.#serve(request, socket, head, opened?.console);
      })
      .catch((error: unknown) => socket.destroy(error as Error));
  }

  async #open(request: IncomingMessage): Promise<Opened> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'ws://here');
    const type = CONSOLE_TYPES.find((one) => pathname === `${CONSOLES_PATH}/${one}`);
    const token = searchParams.get('token');
    if (type === undefined || token === null) return undefined;
    const ctx = RequestContext.system(newRequestId(), this.dataSource.manager);
    const row = await this.tokens.find(ctx, token);
    if (row?.type !== type) return undefined;
    const server = await this.servers.find(ctx, row.serverId);
    if (!server?.host) return undefined;
    if (this.hypervisor && server.host === this.config.host) {
      return (await this.tokens.take(ctx, token))
        ? { console: await openConsole(this.hypervisor, type, server.id) }
        : undefined;
    }
    const host = await this.hosts.find(ctx, server.host);
    if (!host?.apiUrl || request.headers[RELAYED] !== undefined) return undefined;
    const address = new URL(host.apiUrl);
    return { relay: new URL(address.pathname.replace(/\/$/, '') + (request.url ?? '/'), address) };
  }

  #serve(
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    console: Duplex | undefined,
  ): void {
    this.#handshakes.handleUpgrade(request, socket, head, (client: WebSocket) => {
      if (console === undefined) client.close();
      else {
        keepAlive(client);
        const stream = createWebSocketStream(client);
        pipeline(console, stream, console, () => {
          console.destroy();
          stream.destroy();
        });
      }
    });
    if (socket.destroyed) console?.destroy();
  }
}

function openConsole(
  { consoles }: HypervisorDriver,
  type: ConsoleType,
  guestId: string,
): Promise<Duplex> {
  return type === 'novnc' ? consoles.openDisplay(guestId) : consoles.openSerial(guestId);
}

/** Relays the request unchanged, and then all bytes both ways. */
function relay(request: IncomingMessage, socket: Socket, head: Buffer, to: URL): void {
  const isTls = to.protocol === 'https:';
  const port = Number(to.port || (isTls ? 443 : 80));
  const host = to.hostname.replace(/^\[|\]$/g, '');
  const upstream = isTls
    ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }), ...trusted() })
    : connect({ host, port });
  const { rawHeaders } = request;
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && name.toLowerCase() !== 'host' ? [`${name}: ${rawHeaders[at + 1] ?? ''}`] : [],
  );
  const lines = [
    `GET ${to.pathname}${to.search} HTTP/1.1`,
    `Host: ${to.host}`,
    `${RELAYED}: 1`,
    ...headers,
  ];
  upstream.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  upstream.write(head);
  pipeline(socket, upstream, socket, () => {
    socket.destroy();
    upstream.destroy();
  });
}

const PING_EVERY_MS = 30_000;

/** Ends a WebSocket whose client no longer answers pings. */
export function keepAlive(client: WebSocket): void {
  let answers = true;
  client.on('pong', () => (answers = true));
  const pings = setInterval(() => {
    if (!answers) client.terminate();
    else {
      answers = false;
      client.ping();
    }
  }, PING_EVERY_MS);
  pings.unref();
  client.once('close', () => clearInterval(pings));
}
