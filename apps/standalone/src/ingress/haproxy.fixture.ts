/** Processes of services that the ingress finds by their names: each answers with what it was asked. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { limitClients } from '@cumulet/common/http/http-server';
import { continueOnRead } from '@cumulet/common/http/unread-bodies';
import { IngressProcess } from '@cumulet/testing/ingress-process';
import { NameServer } from '@cumulet/testing/name-server';

export interface Echo {
  readonly at: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
}

export class Replica {
  isReady = true;
  /** Whether it refuses requests as a process that stops does, and tells nobody else. */
  isStopping = false;
  /** Requests, without those for its state. */
  requests = 0;

  private constructor(
    readonly address: string,
    private readonly server: Server,
  ) {}

  static async start(address: string, port: number): Promise<Replica> {
    const server = createServer();
    const replica = new Replica(address, server);
    server.on('request', (request, response) => {
      const { method = '', url = '', headers } = request;
      if (/^(\/-)?\/readyz$/.test(url)) {
        response.writeHead(replica.isReady ? 200 : 503).end();
        return;
      }
      if (replica.isStopping) {
        response.writeHead(Number(headers['x-cumulet-retry-on'] ?? 503), { Connection: 'close' });
        response.end();
        return;
      }
      replica.requests += 1;
      if (url === '/dies') {
        request.socket.destroy();
        return;
      }
      if (url === '/refuses') {
        response.writeHead(401, { Connection: 'close' }).end('no');
        return;
      }
      void text(request).then((body) =>
        response.end(JSON.stringify({ at: address, method, url, headers, bytes: body.length })),
      );
    });
    server.on('upgrade', ({ headers }, socket, head) => {
      const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash('sha1').update(key).digest('base64');
      const lines = [
        'Connection: Upgrade',
        'Upgrade: websocket',
        `Sec-WebSocket-Accept: ${accept}`,
      ];
      socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'));
      socket.write(head);
      socket.pipe(socket).on('error', () => socket.destroy());
    });
    limitClients(server);
    continueOnRead(server);
    server.listen(port, address);
    await once(server, 'listening');
    return replica;
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}

export class IngressWorld {
  readonly #replicas: Replica[] = [];
  #last = 1;

  private constructor(
    readonly names: NameServer,
    readonly ingress: IngressProcess,
    /** The first part of its addresses, which other tests do not use. */
    private readonly prefix: string,
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<IngressWorld> {
    const names = await NameServer.start();
    const [second, third] = [64 + Math.random() * 180, Math.random() * 256].map(Math.floor);
    const prefix = `127.${second}.${third}`;
    const ingress = await IngressProcess.start(`${prefix}.1`, names.address, settings);
    return new IngressWorld(names, ingress, prefix);
  }

  /** A new process, which its service's name does not lead to yet. */
  async replica(port: number): Promise<Replica> {
    const replica = await Replica.start(`${this.prefix}.${(this.#last += 1)}`, port);
    this.#replicas.push(replica);
    return replica;
  }

  /** The addresses of a name from now on; without any, it does not exist. */
  name(name: string, ...replicas: readonly Replica[]): void {
    const addresses = replicas.map(({ address }) => address);
    if (addresses.length === 0) this.names.names.delete(name);
    else this.names.names.set(name, addresses);
  }

  async stop(): Promise<void> {
    await this.ingress.stop();
    for (const replica of this.#replicas) await replica.stop();
    this.names.stop();
  }
}
