/**
 * The hypervisor driver without a hypervisor: it keeps as plain data what a real one keeps in disks
 * and processes, answers at once, and documents what the port means. It judges images as the real
 * driver does, as far as their first bytes tell.
 *
 * Always holds: it calls itself `simulated` everywhere; whatever a test scripts, it keeps the
 * port's promises.
 */
import { IMAGE_HEAD_BYTES } from '@cumulet/common/disk-formats/image-bytes';
import { downloadImage, imageName, type BootImage, type OpenImage } from './boot-image.js';
import { requireGuestId } from './guest-id.js';
import {
  findGuestImages,
  guestDiskBytes,
  type CachedImage,
  type GuestImages,
} from './guest-images.js';
import { HypervisorError } from './hypervisor-error.js';
import type {
  GuestSpec,
  GuestState,
  HostDescription,
  HypervisorDriver,
} from './hypervisor-driver.js';
import {
  hasBootSignature,
  imageKind,
  qcow2VirtualSize,
  refuseUnsafeImage,
} from './image-header.js';
import { lastLines } from './last-lines.js';
import { bootText } from './simulated/simulated-console.js';
import { ScriptedFaults, type Hold } from './simulated/scripted-faults.js';
import { SimulatedWorld, type SimulatedGuest } from './simulated/simulated-world.js';

export type HypervisorMethod = keyof HypervisorDriver;

export interface SimulatedHypervisorOptions {
  /** The simulated host's resources. */
  readonly host?: Partial<Pick<HostDescription, 'vcpus' | 'memoryMb' | 'diskGb'>>;
  /** The host that it drives; by default a new one, which ends with the process. */
  readonly world?: SimulatedWorld;
  readonly consoleBytes?: number;
}

const DEFAULT_HOST = { vcpus: 64, memoryMb: 256 * 1024, diskGb: 4096 };
const DEFAULT_CONSOLE_BYTES = 1024 * 1024;

export class SimulatedHypervisor implements HypervisorDriver {
  readonly world: SimulatedWorld;
  private readonly faults = new ScriptedFaults<HypervisorMethod>();

  constructor(private readonly options: SimulatedHypervisorOptions = {}) {
    this.world = options.world ?? new SimulatedWorld();
  }

  /** The next `times` calls of `method` throw `error` and change nothing. */
  failNext(method: HypervisorMethod, error: HypervisorError, times = 1): void {
    this.faults.failNext(method, error, times);
  }

  /** Calls of `method` wait until the hold is released. */
  hold(method: HypervisorMethod): Hold {
    return this.faults.hold(method);
  }

  /** Puts an existing machine into another state, as its guest or an operator might. */
  forceState(guestId: string, state: GuestState): void {
    const guest = this.world.guests.get(guestId);
    if (guest === undefined || guest.state === 'absent') {
      throw new Error(`guest ${guestId} has no machine`);
    }
    guest.state = state;
  }

  async describe(): Promise<HostDescription> {
    await this.faults.before('describe');
    return {
      type: 'simulated',
      version: '1.0.0',
      accelerator: 'none',
      why: 'no guest really runs',
      ...DEFAULT_HOST,
      ...this.options.host,
    };
  }

  async hasBaseImage(image: BootImage): Promise<boolean> {
    await this.faults.before('hasBaseImage');
    return this.world.images.has(imageName(image));
  }

  async putBaseImage(image: BootImage, open: OpenImage): Promise<void> {
    await this.faults.before('putBaseImage');
    const name = imageName(image);
    const { images, downloads } = this.world;
    if (images.has(name)) return;
    await downloads.run(name, async () => {
      await this.world.addImage(name, await this.download(image, open));
    });
  }

  async ensureDisk(guest: GuestSpec): Promise<void> {
    await this.faults.before('ensureDisk');
    requireGuestId(guest.id);
    const bytes = guestDiskBytes(guest, await this.findImages(guest));
    const known = this.world.guest(guest.id);
    requireSameImage(known, guest);
    known.disk ??= { image: guest.image, bytes };
    await this.world.keepGuest(guest.id);
  }

  async ensureRunning(guest: GuestSpec): Promise<void> {
    await this.faults.before('ensureRunning');
    requireGuestId(guest.id);
    await this.findImages(guest);
    const known = this.world.guests.get(guest.id);
    if (known?.disk === undefined) {
      throw new HypervisorError('not-ready', 'The server has no disk on the host.');
    }
    requireSameImage(known, guest);
    if (known.state !== 'running' && known.state !== 'paused') {
      known.starts += 1;
      known.startedWith = guest;
      this.boot(known);
    }
    known.state = 'running';
    await this.world.keepGuest(guest.id);
  }

  async powerDown(guestId: string): Promise<void> {
    await this.faults.before('powerDown');
    const guest = this.find(guestId);
    if (guest?.state === 'running') guest.state = 'shutdown';
    await this.world.keepGuest(guestId);
  }

  async powerOff(guestId: string): Promise<void> {
    await this.faults.before('powerOff');
    const guest = this.find(guestId);
    if (guest !== undefined) guest.state = 'absent';
    await this.world.keepGuest(guestId);
  }

  async reset(guestId: string): Promise<void> {
    await this.faults.before('reset');
    const guest = this.find(guestId);
    if (guest === undefined || guest.state === 'absent') {
      throw new HypervisorError('not-ready', 'The server has no machine that could be reset.');
    }
    this.boot(guest);
    guest.state = 'running';
    await this.world.keepGuest(guestId);
  }

  async state(guestId: string): Promise<GuestState> {
    await this.faults.before('state');
    return this.find(guestId)?.state ?? 'absent';
  }

  async list(): Promise<string[]> {
    await this.faults.before('list');
    return [...this.world.guests.keys()].sort();
  }

  async destroy(guestId: string): Promise<void> {
    await this.faults.before('destroy');
    requireGuestId(guestId);
    this.world.guests.delete(guestId);
    await this.world.keepGuest(guestId);
  }

  async consoleOutput(guestId: string, lines?: number): Promise<string> {
    await this.faults.before('consoleOutput');
    const text = this.find(guestId)?.console ?? '';
    return lines === undefined ? text : lastLines(text, lines);
  }

  private find(guestId: string): SimulatedGuest | undefined {
    requireGuestId(guestId);
    return this.world.guests.get(guestId);
  }

  private findImages(guest: GuestSpec): Promise<GuestImages<CachedImage>> {
    const { images } = this.world;
    return findGuestImages(guest, (image) => Promise.resolve(images.get(imageName(image))));
  }

  private async download(image: BootImage, open: OpenImage): Promise<CachedImage> {
    const kind = imageKind(image.id, image.diskFormat);
    let head = Buffer.alloc(0);
    const bytes = await downloadImage(image, open, (part) => {
      head = Buffer.concat([head, part.subarray(0, IMAGE_HEAD_BYTES - head.length)]);
      return Promise.resolve();
    });
    refuseUnsafeImage(image.id, kind, head);
    return {
      kind,
      virtualSizeBytes: kind === 'qcow2' ? qcow2VirtualSize(head) : bytes,
      // Only its tables tell where a qcow2's first sector is; it is assumed to be bootable.
      bootable: kind === 'qcow2' || (kind === 'raw' && hasBootSignature(head)),
    };
  }

  private boot(guest: SimulatedGuest): void {
    const { startedWith, disk } = guest;
    if (startedWith === undefined || disk === undefined) return;
    const limit = this.options.consoleBytes ?? DEFAULT_CONSOLE_BYTES;
    const earlier = guest.console === '' ? '' : `${guest.console}\r\n`;
    guest.console = (earlier + bootText(startedWith, disk.bytes)).slice(-limit);
  }
}

function requireSameImage(known: SimulatedGuest, guest: GuestSpec): void {
  if (known.disk === undefined || imageName(known.disk.image) === imageName(guest.image)) return;
  throw new HypervisorError('bug', 'The disk of the server was made from another image.');
}
