/**
 * The driver that runs guests as QEMU processes on this host. Its state is in files and processes,
 * so that a driver opened later, or in another process, continues.
 *
 *     <dataDir>/images/<image id>.<disk format>.<sha512>/   data, image.json
 *     <dataDir>/guests/<guest id>/
 *         disk.qcow2, config-drive.iso, console.log, qemu.pid, qemu.lock, monitor/{qmp,vnc,serial,agent}.sock,
 *         copy-<copy id>.qcow2
 *
 * Always holds: within a process, calls on one guest run one after the other; between processes, a
 * lock that QEMU inherits allows one machine per guest.
 */
import { chmod, mkdir, realpath, statfs, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { availableParallelism, totalmem } from 'node:os';
import { asHypervisorError } from '../hypervisor-error.js';
import type {
  HypervisorDriver,
  HostDescription,
  HostPort,
  GuestsPort,
} from '../hypervisor-driver.js';
import { isGuestId } from '../ports/guest-spec.js';
import { BaseImageStore } from './image/base-image-store.js';
import { GuestRegistry } from './guest-registry.js';
import { QemuAgents } from './agent/guest-agent.js';
import { QemuConsoles } from './console/qemu-consoles.js';
import { QemuCopies } from './disk/qemu-copies.js';
import { QemuDisks } from './disk/qemu-disks.js';
import { QemuImages } from './image/qemu-images.js';
import { QemuImg } from './image/qemu-img.js';
import { QemuMachines } from './machine/qemu-machines.js';
import { QemuNics } from './nic/qemu-nics.js';
import type { QemuHypervisorOptions } from './qemu-programs.js';
import type { GuestCgroups } from './machine/guest-cgroups.js';
import { findGuestProcesses } from './machine/guest-process.js';

const DEFAULT_ANSWER_TIMEOUT_MS = 10_000;

export class QemuHypervisor implements HypervisorDriver {
  readonly host: QemuHost;
  readonly images: QemuImages;
  readonly disks: QemuDisks;
  readonly copies: QemuCopies;
  readonly machines: QemuMachines;
  readonly consoles: QemuConsoles;
  readonly agents: QemuAgents;
  readonly nics: QemuNics;
  readonly guests: QemuGuests;

  private constructor(
    options: QemuHypervisorOptions,
    guestsFolder: string,
    store: BaseImageStore,
    qemuImg: QemuImg,
  ) {
    const { programs, consoleBytes, answerTimeoutMs = DEFAULT_ANSWER_TIMEOUT_MS } = options;
    const registry = new GuestRegistry(
      guestsFolder,
      { programs, consoleBytes, answerTimeoutMs },
      store,
    );
    this.host = new QemuHost(options, guestsFolder);
    this.images = new QemuImages(store, guestsFolder);
    this.disks = new QemuDisks(registry, qemuImg, programs);
    this.copies = new QemuCopies(registry, qemuImg, options.users);
    this.machines = new QemuMachines(registry, options);
    this.consoles = new QemuConsoles(registry, consoleBytes);
    this.agents = new QemuAgents(registry);
    this.nics = new QemuNics(registry, options.users);
    this.guests = new QemuGuests(registry, options.cgroups);
  }

  /** Creates the data directory if it is missing. Starts and stops no guest. */
  static async open(options: QemuHypervisorOptions): Promise<QemuHypervisor> {
    try {
      const folders = ['guests', 'images'].map((name) => join(options.dataDir, name));
      for (const folder of folders) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // Also an existing folder: this keeps guests from each other's files.
        if (options.users.of('') !== undefined) await chmod(folder, 0o700);
      }
      // Processes are recognised by their paths, which must have one spelling.
      const dataDir = await realpath(options.dataDir);
      const qemuImg = new QemuImg(options.programs, options.users);
      const store = new BaseImageStore(join(dataDir, 'images'), qemuImg);
      await store.removeLeftovers();
      return new QemuHypervisor(options, join(dataDir, 'guests'), store, qemuImg);
    } catch (error) {
      throw asHypervisorError(error, "The hypervisor's data directory cannot be used");
    }
  }
}

export class QemuHost implements HostPort {
  constructor(
    private readonly options: QemuHypervisorOptions,
    private readonly guestsFolder: string,
  ) {}

  async describe(): Promise<HostDescription> {
    const { programs, accelerator } = this.options;
    const disk = await statfs(this.guestsFolder);
    return {
      type: 'QEMU',
      version: programs.version,
      accelerator: accelerator.name,
      why: accelerator.why,
      vcpus: availableParallelism(),
      memoryMb: Math.floor(hostMemoryBytes() / 1024 ** 2),
      diskGb: Math.floor((disk.blocks * disk.bsize) / 1024 ** 3),
    };
  }
}

/** In a container, less than the machine has. */
function hostMemoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** A file written while its folder is being removed makes an attempt fail. */
const REMOVE_RETRIES = 5;

export class QemuGuests implements GuestsPort {
  constructor(
    private readonly registry: GuestRegistry,
    private readonly cgroups: GuestCgroups | undefined,
  ) {}

  async list(): Promise<string[]> {
    const folders = await readdir(this.registry.path);
    const processes = findGuestProcesses(this.registry.path);
    return [...new Set([...folders.filter(isGuestId), ...processes.keys()])].sort();
  }

  async destroy(guestId: string): Promise<void> {
    await this.registry.inTurn(
      guestId,
      'The server could not be removed',
      async (machine, folder) => {
        const groups = await this.cgroups?.of(guestId, await machine.pid());
        // Another process may start it until the files are gone, but not after.
        do {
          await machine.kill();
          await rm(folder.path, { recursive: true, force: true, maxRetries: REMOVE_RETRIES });
        } while (await machine.exists());
        await this.cgroups?.remove(groups ?? []);
      },
    );
  }
}
