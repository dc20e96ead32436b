/**
 * The driver without a hypervisor: plain data for disks and processes, and answers at once.
 *
 * Always holds: it calls itself `simulated`, and keeps the port's promises whatever a test scripts.
 */
import type {
  HypervisorDriver,
  HypervisorMethod,
  GuestState,
  HostDescription,
  HostPort,
  AgentsPort,
  NicsPort,
  GuestsPort,
} from './hypervisor-driver.js';
import { HypervisorError } from './hypervisor-error.js';
import { ScriptedFaults, type Hold } from './simulated/scripted-faults.js';
import { SimulatedConsoles } from './simulated/simulated-consoles.js';
import { SimulatedCopies, SimulatedDisks } from './simulated/simulated-disks.js';
import { SimulatedImages } from './simulated/simulated-images.js';
import { SimulatedMachines } from './simulated/simulated-machines.js';
import { type SimulatedShare, findGuest, writeConsole } from './simulated/simulated-share.js';
import { Terminals } from './simulated/terminals.js';
import { SimulatedWorld } from './simulated/simulated-world.js';
import type { GuestNic } from './ports/guest-nic.js';
import { requireGuestId } from './ports/guest-spec.js';

interface SimulatedHypervisorOptions {
  readonly host?: Partial<SimulatedShare['resources']>;
  /** By default a new host, which ends with the process. */
  readonly world?: SimulatedWorld;
  readonly consoleBytes?: number;
}

const DEFAULT_HOST = { vcpus: 64, memoryMb: 256 * 1024, diskGb: 4096 };
const DEFAULT_CONSOLE_BYTES = 1024 * 1024;

export class SimulatedHypervisor implements HypervisorDriver {
  protected readonly share: SimulatedShare;
  readonly host: SimulatedHost;
  readonly images: SimulatedImages;
  readonly disks: SimulatedDisks;
  readonly copies: SimulatedCopies;
  readonly machines: SimulatedMachines;
  readonly consoles: SimulatedConsoles;
  readonly agents: SimulatedAgents;
  readonly nics: SimulatedNics;
  readonly guests: SimulatedGuests;

  constructor(options: SimulatedHypervisorOptions = {}) {
    this.share = {
      world: options.world ?? new SimulatedWorld(),
      faults: new ScriptedFaults<HypervisorMethod>(),
      resources: { ...DEFAULT_HOST, ...options.host },
      terminals: new Terminals(),
      consoleBytes: options.consoleBytes ?? DEFAULT_CONSOLE_BYTES,
    };
    this.host = new SimulatedHost(this.share);
    this.images = new SimulatedImages(this.share);
    this.disks = new SimulatedDisks(this.share);
    this.copies = new SimulatedCopies(this.share);
    this.machines = new SimulatedMachines(this.share);
    this.consoles = new SimulatedConsoles(this.share);
    this.agents = new SimulatedAgents(this.share);
    this.nics = new SimulatedNics(this.share);
    this.guests = new SimulatedGuests(this.share);
  }

  get world(): SimulatedWorld {
    return this.share.world;
  }

  failNext(method: HypervisorMethod, error: HypervisorError, times = 1, after = 0): void {
    this.share.faults.failNext(method, error, times, after);
  }

  hold(method: HypervisorMethod): Hold {
    return this.share.faults.hold(method);
  }

  /** Sets a machine's state, as its guest or an operator might. */
  forceState(guestId: string, state: GuestState): void {
    const guest = this.world.guests.get(guestId);
    if (guest === undefined || guest.state === 'absent') {
      throw new Error(`guest ${guestId} has no machine`);
    }
    guest.state = state;
    if (state === 'absent') this.share.terminals.end(guestId);
  }
}

export class SimulatedHost implements HostPort {
  constructor(private readonly share: SimulatedShare) {}

  async describe(): Promise<HostDescription> {
    await this.share.faults.before('describe');
    return {
      type: 'simulated',
      version: '1.0.0',
      accelerator: 'none',
      why: 'no guest really runs',
      ...this.share.resources,
    };
  }
}

/** A guest with the agent's channel has an agent, which reports its work on the console. */
export class SimulatedAgents implements AgentsPort {
  constructor(private readonly share: SimulatedShare) {}

  async setPassword(guestId: string, user: string, password: string): Promise<void> {
    await this.share.faults.before('setPassword');
    const guest = findGuest(this.share, guestId);
    if (guest?.state !== 'running')
      throw new HypervisorError('not-ready', 'The server does not run.');
    if (!guest.startedWith?.hardware?.guestAgent)
      throw new HypervisorError('not-ready', 'The agent in the guest does not answer.');
    const length = String(password.length);
    writeConsole(this.share, guestId, `qemu-ga: password of ${user} set, ${length} characters\r\n`);
    await this.share.world.keepGuest(guestId);
  }
}

export class SimulatedNics implements NicsPort {
  constructor(private readonly share: SimulatedShare) {}

  async deviceUser(): Promise<undefined> {
    await this.share.faults.before('deviceUser');
  }

  async plugNic(guestId: string, nic: GuestNic): Promise<void> {
    await this.share.faults.before('plugNic');
    const guest = findGuest(this.share, guestId);
    if (guest === undefined || guest.state === 'absent') return;
    const nics = guest.nics ?? [];
    if (nics.some(({ id }) => id === nic.id)) return;
    guest.nics = [...nics, nic];
    await this.share.world.keepGuest(guestId);
  }

  async unplugNic(guestId: string, nicId: string): Promise<void> {
    await this.share.faults.before('unplugNic');
    const guest = findGuest(this.share, guestId);
    if (guest === undefined || guest.state === 'absent') return;
    const { nics = [] } = guest;
    if (!nics.some(({ id }) => id === nicId)) return;
    if (guest.state !== 'running')
      throw new HypervisorError(
        'not-ready',
        'The guest does not run to release the network interface.',
      );
    guest.nics = nics.filter(({ id }) => id !== nicId);
    await this.share.world.keepGuest(guestId);
  }

  async pluggedNics(guestId: string): Promise<readonly string[]> {
    await this.share.faults.before('pluggedNics');
    const guest = findGuest(this.share, guestId);
    if (guest === undefined || guest.state === 'absent') return [];
    return (guest.nics ?? []).map(({ id }) => id);
  }
}

export class SimulatedGuests implements GuestsPort {
  constructor(private readonly share: SimulatedShare) {}

  async list(): Promise<string[]> {
    await this.share.faults.before('list');
    return [...this.share.world.guests.keys()].sort();
  }

  async destroy(guestId: string): Promise<void> {
    await this.share.faults.before('destroy');
    requireGuestId(guestId);
    this.share.world.guests.delete(guestId);
    this.share.terminals.end(guestId);
    await this.share.world.keepGuest(guestId);
  }
}
