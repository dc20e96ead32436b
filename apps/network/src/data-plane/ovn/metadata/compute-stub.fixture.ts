/** Stands for compute and for the ingress behind the metadata address, and records its requests. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export class ComputeStub {
  /** The requests in order. */
  seen: Asked[] = [];

  private constructor(private readonly server: Server) {}

  /** @param address of this machine */
  static async start(address = '127.0.0.1'): Promise<ComputeStub> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { method, url, headers } = request;
        compute.seen.push({ method, url, headers, body: Buffer.concat(parts).toString() });
        response.writeHead(url === '/metadata/missing' ? 404 : 200, { 'x-answered': 'here' });
        response.end(`answer to ${url ?? ''}\n`);
      });
    });
    const compute = new ComputeStub(server);
    server.listen(0, address);
    await once(server, 'listening');
    return compute;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/metadata`;
  }

  stop(): void {
    this.server.close();
  }
}
