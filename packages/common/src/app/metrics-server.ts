/**
 * Serves the metrics of a process to Prometheus: one listener with one path for all its services.
 *
 * Always holds: proxies to an API, such as an ingress, a load balancer or the guest ingress, cannot
 * reach metrics, since no API has a route to them
 * (docs/adr/0071-statistics-on-a-port-of-their-own.md).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '../observe/metrics.js';
import { limitClients, serverOptions } from '../http/http-server.js';
import { certificatePair, followRenewal, type TlsConfig } from '../tls/tls.js';

/** Public source: Prometheus, "Exposition formats", "Text-based format". */
const FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

export class MetricsServer {
  readonly #server: Server;

  /**
   * @param services called at each scrape; returns those that have started
   * @throws SettingError for certificates that cannot be used
   */
  constructor(services: () => readonly Metrics[], config: TlsConfig = {}) {
    const handle = (request: IncomingMessage, response: ServerResponse): void =>
      void answer(request, response, services);
    const pair = certificatePair(config);
    this.#server = pair
      ? createTlsServer({ ...serverOptions(), ...pair }, handle)
      : createServer(serverOptions(), handle);
    limitClients(this.#server);
    // The API's listener reports a renewal that fails.
    followRenewal(this.#server, config, () => undefined);
  }

  /** @returns the port, which the system chooses for 0 */
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
 * Joins the documents of several services. A metric's HELP and TYPE may occur only once, followed
 * by all its samples.
 * @param texts as prom-client writes them: a paragraph for each metric, with two heading lines
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
