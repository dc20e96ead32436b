/**
 * The driver that runs guests as QEMU processes on this host. Its whole state is in files and in
 * the processes themselves, so that a driver opened later, or in another process, continues where
 * this one stopped.
 *
 *     <dataDir>/images/<image id>.<disk format>.<sha512>/   data, image.json
 *     <dataDir>/guests/<guest id>/
 *         disk.qcow2, config-drive.iso, console.log, qemu.pid, qemu.lock, monitor/{qmp,vnc,serial,agent}.sock,
 *         copy-<copy id>.qcow2
 *
 * Always holds: within this process the calls on one guest run one after the other; between
 * processes a lock that QEMU inherits allows only one machine per guest.
 */
import { chmod, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { asHypervisorError } from '../hypervisor-error.js';
import type { HypervisorDriver } from '../hypervisor-driver.js';
import { BaseImageStore } from './base-image-store.js';
import { GuestRooms } from './guest-rooms.js';
import { QemuAgents } from './qemu-agents.js';
import { QemuConsoles } from './qemu-consoles.js';
import { QemuCopies } from './qemu-copies.js';
import { QemuDisks } from './qemu-disks.js';
import { QemuGuests } from './qemu-guests.js';
import { QemuHost } from './qemu-host.js';
import { QemuImages } from './qemu-images.js';
import { QemuImg } from './qemu-img.js';
import { QemuMachines } from './qemu-machines.js';
import { QemuNics } from './qemu-nics.js';
import type { QemuHypervisorOptions } from './qemu-options.js';

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
    const rooms = new GuestRooms(guestsFolder, { programs, consoleBytes, answerTimeoutMs }, store);
    this.host = new QemuHost(options, guestsFolder);
    this.images = new QemuImages(store, guestsFolder);
    this.disks = new QemuDisks(rooms, qemuImg, programs);
    this.copies = new QemuCopies(rooms, qemuImg, options.users);
    this.machines = new QemuMachines(rooms, options);
    this.consoles = new QemuConsoles(rooms, consoleBytes);
    this.agents = new QemuAgents(rooms);
    this.nics = new QemuNics(rooms, options.users);
    this.guests = new QemuGuests(rooms, options.cgroups);
  }

  /** Creates the data directory if it is missing. Starts and stops no guest. */
  static async open(options: QemuHypervisorOptions): Promise<QemuHypervisor> {
    try {
      const folders = ['guests', 'images'].map((name) => join(options.dataDir, name));
      for (const folder of folders) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // Also one that somebody else made: this is what keeps guests from each other's files.
        if (options.users.of('') !== undefined) await chmod(folder, 0o700);
      }
      // Processes are recognised by their paths, so a path must have one spelling.
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
