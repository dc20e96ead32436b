/** A web server on all addresses of this machine. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export class WebServer {
  readonly requests: IncomingMessage[] = [];
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @param answer to every request */
  static async start(answer: RequestListener): Promise<WebServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    const started = new WebServer(server, (server.address() as AddressInfo).port);
    server.on('connection', (socket) => started.#sockets.add(socket));
    server.on('request', (request, response) => {
      started.requests.push(request);
      answer(request, response);
    });
    return started;
  }

  /** @param host in place of 127.0.0.1 */
  url(path: string, host = '127.0.0.1'): string {
    return `http://${host}:${this.port}${path}`;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
