/**
 * The hypervisor driver without a hypervisor: it keeps as plain data what a real one keeps in disks
 * and processes, answers at once, and documents what the port means.
 *
 * Always holds: it calls itself `simulated` everywhere; whatever a test scripts, it keeps the
 * port's promises.
 */
import type { HypervisorDriver, HypervisorMethod } from './hypervisor-driver.js';
import type { HypervisorError } from './hypervisor-error.js';
import type { GuestState } from './ports/machines.port.js';
import { ScriptedFaults, type Hold } from './simulated/scripted-faults.js';
import { SimulatedAgents } from './simulated/simulated-agents.js';
import { SimulatedConsoles } from './simulated/simulated-consoles.js';
import { SimulatedCopies } from './simulated/simulated-copies.js';
import { SimulatedDisks } from './simulated/simulated-disks.js';
import { SimulatedGuests } from './simulated/simulated-guests.js';
import { SimulatedHost } from './simulated/simulated-host.js';
import { SimulatedImages } from './simulated/simulated-images.js';
import { SimulatedMachines } from './simulated/simulated-machines.js';
import { SimulatedNics } from './simulated/simulated-nics.js';
import type { SimulatedShare } from './simulated/simulated-share.js';
import { Terminals } from './simulated/terminals.js';
import { SimulatedWorld } from './simulated/simulated-world.js';

export interface SimulatedHypervisorOptions {
  /** The simulated host's resources. */
  readonly host?: Partial<SimulatedShare['resources']>;
  /** The host that it drives; by default a new one, which ends with the process. */
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

  /** The next `times` calls of `method` throw `error` and change nothing. */
  failNext(method: HypervisorMethod, error: HypervisorError, times = 1, after = 0): void {
    this.share.faults.failNext(method, error, times, after);
  }

  /** Calls of `method` wait until the hold is released. */
  hold(method: HypervisorMethod): Hold {
    return this.share.faults.hold(method);
  }

  /** Puts an existing machine into another state, as its guest or an operator might. */
  forceState(guestId: string, state: GuestState): void {
    const guest = this.world.guests.get(guestId);
    if (guest === undefined || guest.state === 'absent') {
      throw new Error(`guest ${guestId} has no machine`);
    }
    guest.state = state;
    if (state === 'absent') this.share.terminals.end(guestId);
  }
}
