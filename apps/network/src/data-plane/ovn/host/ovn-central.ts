/** The center of a cloud's OVN: the two databases that all hosts share, and what leads between them. */
import { CENTRAL_DAEMONS } from './daemons.js';
import { DATABASES, ensureDatabases } from './database-files.js';
import { socketOf, type OvnFolder } from './host-settings.js';
import { makeFolder, Supervisor, type HostEvents } from './supervisor.js';

const OWN = ['northbound', 'southbound'] as const;

export class OvnCentral {
  readonly #supervisor: Supervisor;

  private constructor(
    private readonly options: OvnFolder,
    events: HostEvents,
  ) {
    this.#supervisor = new Supervisor(options, CENTRAL_DAEMONS, events);
  }

  /** @throws OvnHostError if it does not come up; nothing is left then */
  static async start(options: OvnFolder, events: HostEvents): Promise<OvnCentral> {
    const folder = await makeFolder(options.folder);
    const central = new OvnCentral({ ...options, folder }, events);
    try {
      await central.#start();
    } catch (error) {
      await central.stop();
      throw error;
    }
    return central;
  }

  get northbound(): string {
    return socketOf(this.options.folder, DATABASES.northbound);
  }

  get southbound(): string {
    return socketOf(this.options.folder, DATABASES.southbound);
  }

  /** Undefined while it does not run. */
  pidOf(name: (typeof CENTRAL_DAEMONS)[number]): number | undefined {
    return this.#supervisor.pidOf(name);
  }

  stop(): Promise<void> {
    return this.#supervisor.stop();
  }

  async #start(): Promise<void> {
    await this.#supervisor.prepare();
    await ensureDatabases(this.options, OWN);
    for (const name of OWN) this.#supervisor.run(name);
    await Promise.all(OWN.map((name) => this.#supervisor.answering(`${DATABASES[name]}.sock`)));
    this.#supervisor.run('northd');
  }
}
