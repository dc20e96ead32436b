/** A small HTTP server for the probes of a container. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

export interface Readiness {
  /** Why it is not ready; undefined if it is. */
  readonly reason?: string | undefined;
  /** What else there is to know. */
  readonly [fact: string]: unknown;
}

/** Answers `/healthz` with 200, and `/readyz` with 200 or 503. @throws the system's error if the port is taken */
export async function serveProbe(
  port: number,
  readiness: () => Readiness | Promise<Readiness>,
): Promise<Server> {
  const answer = async (path: string | undefined): Promise<[number, unknown]> => {
    if (path === '/healthz') return [200, { status: 'ok' }];
    if (path !== '/readyz') return [404, { error: 'only /healthz and /readyz are served' }];
    const { reason, ...facts } = await readiness();
    return reason === undefined
      ? [200, { status: 'ready', ...facts }]
      : [503, { status: 'waiting', reason, ...facts }];
  };
  const server = createServer((request, response) => {
    void answer(request.url).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(`${JSON.stringify(body)}\n`);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
