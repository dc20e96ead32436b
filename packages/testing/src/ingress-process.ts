/** A HAProxy with the ingress's configuration (deploy/haproxy.cfg), at an address of this machine's loopback. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { findProgram } from '@cumulet/common/programs/find-program';
import { eventually } from './settle.js';

const CONFIGURATION = fileURLToPath(new URL('../../../deploy/haproxy.cfg', import.meta.url));
/** Where root alone looks by default. */
const PATH = [process.env['PATH'], '/usr/sbin', '/usr/local/sbin'].join(delimiter);

export class IngressProcess {
  #output = '';

  private constructor(
    private readonly child: ChildProcessByStdio<null, Readable, Readable>,
    readonly host: string,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
  }

  /**
   * Returns once it answers.
   * @param host an address of 127.0.0.0/8 of its own
   * @param nameServer `address:port`
   * @param settings others of deploy/haproxy.cfg
   * @throws Error if there is no HAProxy, or it ends
   */
  static async start(
    host: string,
    nameServer: string,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<IngressProcess> {
    const program = process.env['CUMULET_TEST_HAPROXY'] ?? (await findProgram('haproxy', PATH));
    if (program === undefined) throw new Error('HAProxy is not installed');
    const child = spawn(program, ['-db', '-f', CONFIGURATION], {
      env: { CUMULET_INGRESS_HOST: host, CUMULET_NAMESERVER: nameServer, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ingress = new IngressProcess(child, host);
    await eventually('the ingress answers', async () => {
      if (child.exitCode !== null) throw new Error(`The ingress ended: ${ingress.log}`);
      return fetch(`http://${host}:9100/metrics`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    return ingress;
  }

  /** The lines of failed requests, and what it said at its start. */
  get log(): string {
    return this.#output;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}
