/** The clusters service as a node sees it: two operations, and the requests of nodes. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly body: object;
}

interface Asked {
  readonly nonce: string;
  readonly addresses: readonly string[];
}

export interface Report {
  readonly phase: string;
  readonly status: string;
  readonly message: string;
  readonly generation?: number;
  readonly etcd?: boolean;
  readonly etcd_removed?: readonly string[];
}

export class ClusterDoor {
  readonly asked: Asked[] = [];
  readonly reports: Report[] = [];
  /** The path and the stated sender of each request. */
  readonly senders = new Set<string>();

  private constructor(
    private readonly server: Server,
    private readonly answers: {
      /** @param nth number of the request, from 1 */
      readonly bootstrap: (nth: number) => Answer;
      readonly report: (sent: Report) => Answer;
    },
  ) {}

  static async open(answers: ClusterDoor['answers']): Promise<ClusterDoor> {
    const server = createServer((request, response) => {
      void door.answerTo(request).then(({ status, body }) => {
        response.writeHead(status, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(body));
      });
    });
    const door = new ClusterDoor(server, answers);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return door;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
  }

  private async answerTo(request: IncomingMessage): Promise<Answer> {
    const { method = '', url = '', headers } = request;
    const body = await json(request);
    this.senders.add(`${method} ${url} ${headers.authorization ?? 'nobody'}`);
    if (url.endsWith('/bootstrap')) {
      this.asked.push(body as Asked);
      return this.answers.bootstrap(this.asked.length);
    }
    this.reports.push(body as Report);
    return this.answers.report(body as Report);
  }
}
