/**
 * The driver that runs guests as QEMU processes on this host. Its whole state is in files and in
 * the processes themselves, so that a driver opened later, or in another process, continues where
 * this one stopped.
 *
 *     <dataDir>/images/<image id>.<disk format>.<sha512>/   data, image.json
 *     <dataDir>/guests/<guest id>/
 *         disk.qcow2, config-drive.iso, console.log, qemu.pid, qemu.lock, monitor/qmp.sock
 *
 * Always holds: within this process the calls on one guest run one after the other; between
 * processes a lock that QEMU inherits allows only one machine per guest.
 */
import { chmod, mkdir, readdir, realpath, rm, statfs } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import type { BootImage, OpenImage } from '../boot-image.js';
import { isGuestId } from '../guest-id.js';
import { findGuestImages, type GuestImages } from '../guest-images.js';
import { asHypervisorError, HypervisorError } from '../hypervisor-error.js';
import type {
  GuestSpec,
  GuestState,
  HostDescription,
  HypervisorDriver,
} from '../hypervisor-driver.js';
import type { Accelerator } from './accelerator.js';
import { BaseImageStore, type BaseImage } from './base-image-store.js';
import { configDriveImage } from './config-drive.js';
import { writeDurably } from '@cumulet/common/files/durable-file';
import { ringBytes } from './guest-console.js';
import { ensureOverlay, isOverlayOver, overlayExists } from './guest-disk.js';
import { guestFolder, type GuestFolder } from './guest-folder.js';
import { GuestMachine, type MachineOptions } from './guest-machine.js';
import { findGuestProcesses } from './guest-process.js';
import type { GuestUsers } from './guest-users.js';
import { inheritedFiles } from './inherited-files.js';
import { KeyedLock } from '../keyed-lock.js';
import { qemuArguments, taggedDevices } from './qemu-arguments.js';
import { QemuImg } from './qemu-img.js';
import type { QemuPrograms } from './qemu-programs.js';
import type { Launch } from './start-qemu.js';

export interface QemuHypervisorOptions {
  readonly programs: QemuPrograms;
  readonly accelerator: Accelerator;
  readonly users: GuestUsers;
  readonly dataDir: string;
  /** How much of each guest's console output is kept, in bytes. */
  readonly consoleBytes: number;
  /** How long a guest's QEMU may take to answer, in milliseconds; 10 seconds by default. */
  readonly answerTimeoutMs?: number;
}

const DEFAULT_ANSWER_TIMEOUT_MS = 10_000;

/** A file that is written while its folder is being removed makes one attempt fail. */
const REMOVE_RETRIES = 5;

export class QemuHypervisor implements HypervisorDriver {
  private readonly guests = new KeyedLock();
  private readonly machineOptions: MachineOptions;

  private constructor(
    private readonly options: QemuHypervisorOptions,
    private readonly guestsFolder: string,
    private readonly qemuImg: QemuImg,
    private readonly images: BaseImageStore,
  ) {
    this.machineOptions = {
      programs: options.programs,
      consoleBytes: options.consoleBytes,
      answerTimeoutMs: options.answerTimeoutMs ?? DEFAULT_ANSWER_TIMEOUT_MS,
    };
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
      const images = new BaseImageStore(join(dataDir, 'images'), qemuImg);
      await images.removeLeftovers();
      return new QemuHypervisor(options, join(dataDir, 'guests'), qemuImg, images);
    } catch (error) {
      throw asHypervisorError(error, "The hypervisor's data directory cannot be used");
    }
  }

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

  async hasBaseImage(image: BootImage): Promise<boolean> {
    return (await this.images.find(image)) !== undefined;
  }

  async putBaseImage(image: BootImage, open: OpenImage): Promise<void> {
    await this.images.put(image, open);
  }

  async ensureDisk(guest: GuestSpec): Promise<void> {
    await this.onGuest(guest.id, "The server's disk could not be made", async (_, folder) => {
      const images = await this.findImages(guest, folder);
      await ensureOverlay(this.qemuImg, folder, guest, images);
    });
  }

  async ensureRunning(guest: GuestSpec): Promise<void> {
    await this.onGuest(guest.id, 'The server could not be started', async (machine, folder) => {
      const state = await machine.state();
      switch (state) {
        case 'running':
          return;
        case 'paused':
          await machine.resume();
          return;
        case 'shutdown':
        case 'crashed':
        case 'absent': {
          // Prepare first: never end a machine for another that could not start.
          const launch = await this.prepare(guest, folder);
          await machine.stopIfHalted();
          await machine.start(launch);
        }
      }
    });
  }

  async powerDown(guestId: string): Promise<void> {
    await this.onGuest(guestId, 'The server could not be powered down', async (machine) => {
      if ((await machine.state()) === 'running') await machine.pressPowerButton();
    });
  }

  async powerOff(guestId: string): Promise<void> {
    await this.onGuest(guestId, 'The server could not be stopped', (machine) => machine.stop());
  }

  async reset(guestId: string): Promise<void> {
    await this.onGuest(guestId, 'The server could not be reset', async (machine) => {
      if (!(await machine.exists())) {
        throw new HypervisorError('not-ready', 'The server has no machine that could be reset.');
      }
      await machine.reset();
    });
  }

  async state(guestId: string): Promise<GuestState> {
    return this.onGuest(guestId, 'The state of the server could not be read', (machine) =>
      machine.state(),
    );
  }

  async list(): Promise<string[]> {
    const folders = await readdir(this.guestsFolder);
    const processes = await findGuestProcesses(this.guestsFolder);
    return [...new Set([...folders.filter(isGuestId), ...processes.keys()])].sort();
  }

  async destroy(guestId: string): Promise<void> {
    await this.onGuest(guestId, 'The server could not be removed', async (machine, folder) => {
      // Another process may start it until the files are gone, but not after.
      do {
        await machine.kill();
        await rm(folder.path, { recursive: true, force: true, maxRetries: REMOVE_RETRIES });
      } while (await machine.exists());
    });
  }

  async consoleOutput(guestId: string, lines?: number): Promise<string> {
    return this.onGuest(guestId, 'The console could not be read', (machine) =>
      machine.consoleOutput(lines),
    );
  }

  private onGuest<T>(
    guestId: string,
    doing: string,
    work: (machine: GuestMachine, folder: GuestFolder) => Promise<T>,
  ): Promise<T> {
    return this.guests.run(guestId, async () => {
      try {
        const folder = guestFolder(this.guestsFolder, guestId);
        return await work(new GuestMachine(folder, this.machineOptions), folder);
      } catch (error) {
        throw asHypervisorError(error, doing);
      }
    });
  }

  /** A guest whose disk an earlier version made keeps the images that it was made with. */
  private async findImages(guest: GuestSpec, folder: GuestFolder): Promise<GuestImages<BaseImage>> {
    const earlier = await this.images.findEarlier(guest.image.id);
    const isEarlier = earlier !== undefined && (await isOverlayOver(folder, earlier));
    return findGuestImages(guest, (image) =>
      isEarlier ? this.images.findEarlier(image.id) : this.images.find(image),
    );
  }

  /** Checks and writes what a machine reads. @returns what to start it with */
  private async prepare(guest: GuestSpec, folder: GuestFolder): Promise<Launch> {
    const images = await this.findImages(guest, folder);
    if (!(await overlayExists(folder, images.base))) {
      throw new HypervisorError('not-ready', 'The server has no disk on the host.');
    }
    if (guest.configDrive !== undefined) {
      const { configDrive } = guest;
      const metaData = { ...configDrive.metaData, devices: taggedDevices(guest) };
      const drive = configDriveImage({ ...configDrive, metaData }, new Date());
      await writeDurably(folder.configDrive, drive);
    }
    const { accelerator, programs, users, consoleBytes } = this.options;
    const args = qemuArguments(guest, folder, images, {
      accelerator: accelerator.name,
      sandbox: programs.sandbox,
      consoleRingBytes: ringBytes(consoleBytes),
    });
    const account = users.of(guest.id);
    const inGroup = account && { uid: account.uid, gid: accelerator.group ?? account.gid };
    return { args, files: inheritedFiles(guest, folder, images), account: inGroup };
  }
}

/** What this process may give to guests: inside a container, less than the machine has. */
function hostMemoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
