/** The central part of a cloud's OVN: the two databases that all hosts share, and ovn-northd. */
import { join } from 'node:path';
import type { CENTRAL_DAEMONS } from './daemons.js';
import { certificateArgs, giveCertificates } from './daemon-certificates.js';
import { DATABASES, ensureDatabases } from './database-files.js';
import { socketOf, type CentralOptions } from './host-settings.js';
import { answers, makeFolder, Supervisor, type HostEvents } from './supervisor.js';

/** OVN's default ports. Public source: ovn-nbctl(8), ovn-sbctl(8). */
export const NORTHBOUND_PORT = 6641;
export const SOUTHBOUND_PORT = 6642;

const SOCKETS = {
  northbound: `${DATABASES.northbound}.sock`,
  southbound: `${DATABASES.southbound}.sock`,
  northd: 'northd.ctl',
} as const;

const OWN = ['northbound', 'southbound'] as const;

export class OvnCentral {
  readonly #supervisor: Supervisor;

  private constructor(
    private readonly options: CentralOptions,
    events: HostEvents,
  ) {
    const { listen, certificates } = options;
    const listening = (port: number): string[] =>
      listen === undefined
        ? []
        : [listeningAt(listen, port, certificates && 'ssl'), ...certificateArgs(certificates)];
    const wanted = {
      northbound: listening(NORTHBOUND_PORT),
      southbound: listening(SOUTHBOUND_PORT),
      northd: [],
    };
    this.#supervisor = new Supervisor(options, wanted, events);
  }

  /** @throws OvnHostError if it does not start, which leaves what was there before */
  static async start(options: CentralOptions, events: HostEvents): Promise<OvnCentral> {
    const folder = await makeFolder(options.folder);
    const central = new OvnCentral({ ...options, folder }, events);
    try {
      await central.#start();
    } catch (error) {
      await central.abandon();
      throw error;
    }
    return central;
  }

  /** @returns the daemons of a folder that do not answer at their sockets */
  static async silentIn(folder: string): Promise<string[]> {
    const found = await Promise.all(
      Object.entries(SOCKETS).map(async ([name, socket]) =>
        (await answers(join(folder, socket))) ? [] : [name],
      ),
    );
    return found.flat();
  }

  get northbound(): string {
    return socketOf(this.options.folder, DATABASES.northbound);
  }

  get southbound(): string {
    return socketOf(this.options.folder, DATABASES.southbound);
  }

  pidOf(name: (typeof CENTRAL_DAEMONS)[number]): number | undefined {
    return this.#supervisor.pidOf(name);
  }

  /** Leaves the daemons to the next process. */
  detach(): void {
    this.#supervisor.detach();
  }

  stop(): Promise<void> {
    return this.#supervisor.stop();
  }

  /** After a failed start: leaves daemons of an earlier process, and stops its own if there are none. */
  async abandon(): Promise<void> {
    if (this.#supervisor.left.length > 0) this.detach();
    else await this.stop();
  }

  async #start(): Promise<void> {
    await this.#supervisor.prepare();
    await giveCertificates(this.options);
    const stopped = OWN.filter((name) => !this.#supervisor.isLeft(name));
    await ensureDatabases(this.options, stopped);
    for (const name of OWN) this.#supervisor.run(name);
    await Promise.all(OWN.map((name) => this.#supervisor.answering(SOCKETS[name])));
    this.#supervisor.run('northd');
  }
}

/** Public source: ovsdb(7), "Connection Methods". @param address IPv4 or IPv6 */
export function listeningAt(address: string, port: number, method: 'tcp' | 'ssl' = 'tcp'): string {
  return `--remote=p${method}:${port}:${address.includes(':') ? `[${address}]` : address}`;
}
