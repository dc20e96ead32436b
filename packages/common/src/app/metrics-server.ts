/**
 * The statistics of a process, for Prometheus: one listener with one path, of all its services.
 *
 * Always holds: whatever forwards requests to an API, as an ingress, a load balancer or the guests'
 * door does, cannot be asked for statistics, since no API has a route to them
 * (docs/adr/0071-statistics-on-a-port-of-their-own.md).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '../observe/metrics.js';
import { limitClients, serverOptions } from '../http/http-server.js';

/** Prometheus, "Exposition formats", "Text-based format". */
const FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

export class MetricsServer {
  readonly #server: Server;

  /** @param services asked at each scrape: those that have started by then */
  constructor(services: () => readonly Metrics[]) {
    this.#server = createServer(serverOptions(), (request, response) => {
      void answer(request, response, services);
    });
    limitClients(this.#server);
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

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

async function answer(
  { method = '', url = '' }: IncomingMessage,
  response: ServerResponse,
  services: () => readonly Metrics[],
): Promise<void> {
  const [path] = url.split('?', 1);
  if (path !== '/metrics') {
    end(response, 404, 'There is /metrics.\n');
    return;
  }
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    end(response, 405, 'There is GET /metrics.\n');
    return;
  }
  try {
    const texts = await Promise.all(services().map(({ registry }) => registry.metrics()));
    response.setHeader('Content-Type', FORMAT);
    end(response, 200, joinStatistics(texts));
  } catch {
    end(response, 500, 'The statistics cannot be read at present.\n');
  }
}

function end(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'text/plain');
  response.end(text);
}

/**
 * One document of those of several services. A metric's HELP and TYPE may stand there once only, with
 * all its samples below.
 * @param texts as prom-client writes them: a paragraph for each metric, two lines of it its heading
 */
export function joinStatistics(texts: readonly string[]): string {
  const samples = new Map<string, string[]>();
  for (const paragraph of texts.flatMap((text) => text.trim().split('\n\n'))) {
    const [help = '', type = '', ...lines] = paragraph.split('\n');
    if (help === '') continue;
    const heading = `${help}\n${type}`;
    const known = samples.get(heading) ?? [];
    known.push(...lines);
    samples.set(heading, known);
  }
  return [...samples].map(([heading, lines]) => [heading, ...lines, ''].join('\n')).join('\n');
}
