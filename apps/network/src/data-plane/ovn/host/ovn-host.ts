/** A host that runs its own OVN: the central databases and one chassis, in one folder. */
import { CHASSIS_DAEMONS, type DaemonName, type CENTRAL_DAEMONS } from './daemons.js';
import { DATABASES, ensureDatabases } from './database-files.js';
import { socketOf, type OvnHostOptions, type CentralOptions } from './host-settings.js';
import { OvnChassis } from './ovn-chassis.js';
import { makeFolder, Supervisor, type HostEvents } from './supervisor.js';

/** Relative to ovn-controller's working directory, whose path need not be reachable. */
const SOUTHBOUND = `unix:${DATABASES.southbound}.sock`;

export class OvnHost {
  private constructor(
    readonly central: OvnCentral,
    readonly chassis: OvnChassis,
  ) {}

  /** @throws OvnHostError if it does not start; nothing is left then */
  static async start(options: OvnHostOptions, events: HostEvents): Promise<OvnHost> {
    const center = OvnCentral.start(options, events);
    const [central, chassis] = await Promise.allSettled([
      center,
      OvnChassis.start({ ...options, southbound: SOUTHBOUND }, events, center),
    ]);
    if (central.status === 'fulfilled' && chassis.status === 'fulfilled')
      return new OvnHost(central.value, chassis.value);
    for (const part of [chassis, central]) if (part.status === 'fulfilled') await part.value.stop();
    throw central.status === 'rejected'
      ? central.reason
      : (chassis as PromiseRejectedResult).reason;
  }

  pidOf(name: DaemonName): number | undefined {
    return isOfChassis(name) ? this.chassis.pidOf(name) : this.central.pidOf(name);
  }

  async stop(): Promise<void> {
    await this.chassis.stop();
    await this.central.stop();
  }
}

function isOfChassis(name: DaemonName): name is (typeof CHASSIS_DAEMONS)[number] {
  return (CHASSIS_DAEMONS as readonly DaemonName[]).includes(name);
}

/** OVN's default ports. Public source: ovn-nbctl(8), ovn-sbctl(8). */
const NORTHBOUND_PORT = 6641;
export const SOUTHBOUND_PORT = 6642;

const OWN = ['northbound', 'southbound'] as const;

/** The central part of a cloud's OVN: the two databases that all hosts share, and ovn-northd. */
class OvnCentral {
  readonly #supervisor: Supervisor;

  private constructor(
    private readonly options: CentralOptions,
    events: HostEvents,
  ) {
    const listening = (port: number): string[] =>
      options.listen === undefined ? [] : [listeningAt(options.listen, port)];
    const wanted = {
      northbound: listening(NORTHBOUND_PORT),
      southbound: listening(SOUTHBOUND_PORT),
      northd: [],
    };
    this.#supervisor = new Supervisor(options, wanted, events);
  }

  /** @throws OvnHostError if it does not start; nothing is left then */
  static async start(options: CentralOptions, events: HostEvents): Promise<OvnCentral> {
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

  pidOf(name: (typeof CENTRAL_DAEMONS)[number]): number | undefined {
    return this.#supervisor.pidOf(name);
  }

  stop(): Promise<void> {
    return this.#supervisor.stop();
  }

  async #start(): Promise<void> {
    await this.#supervisor.prepare();
    const stopped = OWN.filter((name) => !this.#supervisor.isLeft(name));
    await ensureDatabases(this.options, stopped);
    for (const name of OWN) this.#supervisor.run(name);
    await Promise.all(OWN.map((name) => this.#supervisor.answering(`${DATABASES[name]}.sock`)));
    this.#supervisor.run('northd');
  }
}

/** Public source: ovsdb(7), "Connection Methods". @param address IPv4 or IPv6 */
export function listeningAt(address: string, port: number): string {
  return `--remote=ptcp:${port}:${address.includes(':') ? `[${address}]` : address}`;
}
