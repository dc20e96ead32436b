/** The host of a simulated driver: images, disks, machines. Plain data, kept in files if it has a folder. */
import { join } from 'node:path';
import type { BootImage } from '../boot-image.js';
import type { CachedImage } from '../guest-images.js';
import type { GuestNic } from '../network-card.js';
import type { GuestSpec } from '../ports/guest-spec.js';
import type { LocalDisk } from '../ports/local-disk.js';
import type { GuestState } from '../ports/machines.port.js';
import { SharedWork } from '../shared-work.js';
import { WorldFiles } from './world-files.js';

export interface SimulatedDisk {
  readonly image: BootImage;
  readonly bytes: number;
}

export type SimulatedLocalDisks = Readonly<Record<number, SimulatedLocalDisk>>;

export interface SimulatedLocalDisk {
  readonly sizeMb: number;
  readonly format: LocalDisk['format'];
  /** The id of the image that it was made from. */
  readonly content?: string | undefined;
}

export interface SimulatedGuest {
  disk: SimulatedDisk | undefined;
  /** What its disk was when it was kept. */
  keptDisk?: SimulatedDisk | undefined;
  /** By their numbers; absent from a guest that an earlier version made. */
  localDisks?: SimulatedLocalDisks;
  /** What they were when they were kept. */
  keptLocalDisks?: SimulatedLocalDisks | undefined;
  /** What it boots while it is rescued. */
  rescueDisk?: SimulatedDisk | undefined;
  /** The sizes of the copies of its disk, by their ids. */
  copies?: Readonly<Record<string, number>>;
  state: GuestState;
  /** Whether its memory is on its disk. */
  suspended?: boolean;
  /** How often its machine was started. */
  starts: number;
  /** What its current or last machine was started with. */
  startedWith: GuestSpec | undefined;
  console: string;
  /** The cards that its machine has; absent from one that an earlier version started. */
  nics?: readonly GuestNic[];
}

interface Files {
  readonly images: WorldFiles<CachedImage>;
  readonly guests: WorldFiles<SimulatedGuest>;
}

export class SimulatedWorld {
  readonly downloads = new SharedWork();
  /** When images were last used, in milliseconds since 1970; without one, when the world began. */
  readonly #imageUses = new Map<string, number>();
  readonly #since = Date.now();

  /**
   * @param images by their names on a host
   * @param files where it is kept; by default nowhere
   */
  constructor(
    readonly images = new Map<string, CachedImage>(),
    readonly guests = new Map<string, SimulatedGuest>(),
    private readonly files?: Files,
  ) {}

  /**
   * The host as an earlier process left it, however that ended: what ran runs.
   *
   *     <dataDir>/simulated/images/<image id>.<disk format>.<sha512>.json
   *     <dataDir>/simulated/guests/<guest id>.json
   *
   * Throws a HypervisorError if the folder cannot be read or made.
   */
  static async open(dataDir: string): Promise<SimulatedWorld> {
    const folder = join(dataDir, 'simulated');
    const [imageFiles, images] = await WorldFiles.open<CachedImage>(join(folder, 'images'));
    const [guestFiles, guests] = await WorldFiles.open<SimulatedGuest>(join(folder, 'guests'));
    return new SimulatedWorld(images, guests, { images: imageFiles, guests: guestFiles });
  }

  /** The guest, known from now on. */
  guest(guestId: string): SimulatedGuest {
    let guest = this.guests.get(guestId);
    if (guest === undefined) {
      guest = { disk: undefined, state: 'absent', starts: 0, startedWith: undefined, console: '' };
      this.guests.set(guestId, guest);
    }
    return guest;
  }

  /** Keeps an image; it is cached once it is kept. */
  async addImage(name: string, image: CachedImage): Promise<void> {
    await this.files?.images.keep(name, () => image);
    this.images.set(name, image);
    this.useImage(name);
  }

  /** The image, if it is cached: to look for it is to use it. */
  useImage(name: string): CachedImage | undefined {
    this.#imageUses.set(name, Date.now());
    return this.images.get(name);
  }

  lastUseOf(name: string): number {
    return this.#imageUses.get(name) ?? this.#since;
  }

  async removeImage(name: string): Promise<void> {
    this.images.delete(name);
    this.#imageUses.delete(name);
    await this.files?.images.keep(name, () => this.images.get(name));
  }

  /** Keeps a guest as it is now, or that it is gone. */
  async keepGuest(guestId: string): Promise<void> {
    await this.files?.guests.keep(guestId, () => this.guests.get(guestId));
  }
}
