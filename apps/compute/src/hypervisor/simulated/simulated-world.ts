/** A simulated host: images, disks and machines, kept in files if it has a folder. */
import { join } from 'node:path';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { sync, writeDurably } from '@cumulet/common/files/durable-file';
import { KeyedLock } from '@cumulet/common/context/keyed-lock';
import type { BootImage } from '../boot-image.js';
import type { CachedImage } from '../guest-images.js';
import type { GuestNic } from '../ports/guest-nic.js';
import type { GuestSpec, LocalDisk } from '../ports/guest-spec.js';
import type { GuestState } from '../hypervisor-driver.js';
import { SharedWork } from '../shared-work.js';
import { asHypervisorError } from '../hypervisor-error.js';

export interface SimulatedDisk {
  readonly image: BootImage;
  readonly bytes: number;
}

export type SimulatedLocalDisks = Readonly<Record<number, SimulatedLocalDisk>>;

interface SimulatedLocalDisk {
  readonly sizeMb: number;
  readonly format: LocalDisk['format'];
  /** ID of its source image. */
  readonly content?: string | undefined;
}

export interface SimulatedGuest {
  disk: SimulatedDisk | undefined;
  keptDisk?: SimulatedDisk | undefined;
  /** By number; absent from guests of an earlier version. */
  localDisks?: SimulatedLocalDisks;
  keptLocalDisks?: SimulatedLocalDisks | undefined;
  /** Booted during a rescue. */
  rescueDisk?: SimulatedDisk | undefined;
  /** Sizes of disk copies, by ID. */
  copies?: Readonly<Record<string, number>>;
  state: GuestState;
  suspended?: boolean;
  starts: number;
  startedWith: GuestSpec | undefined;
  console: string;
  /** NICs of its machine; absent from machines of an earlier version. */
  nics?: readonly GuestNic[];
}

interface Files {
  readonly images: WorldFiles<CachedImage>;
  readonly guests: WorldFiles<SimulatedGuest>;
}

export class SimulatedWorld {
  readonly downloads = new SharedWork();
  /** Last uses of images, in milliseconds since 1970; by default the beginning of the world. */
  readonly #imageUses = new Map<string, number>();
  readonly #since = Date.now();

  /** @param images by their names on a host @param files storage; by default none */
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

  /** Adds an unknown guest. */
  guest(guestId: string): SimulatedGuest {
    let guest = this.guests.get(guestId);
    if (guest === undefined) {
      guest = { disk: undefined, state: 'absent', starts: 0, startedWith: undefined, console: '' };
      this.guests.set(guestId, guest);
    }
    return guest;
  }

  /** Cached once it is stored. */
  async addImage(name: string, image: CachedImage): Promise<void> {
    await this.files?.images.keep(name, () => image);
    this.images.set(name, image);
    this.useImage(name);
  }

  /** Looking for a cached image is a use. */
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

  /** Stores a guest, or removes its file once it is gone. */
  async keepGuest(guestId: string): Promise<void> {
    await this.files?.guests.keep(guestId, () => this.guests.get(guestId));
  }
}

/**
 * The files with which a simulated host outlives its process: a folder each for images and guests,
 * and a JSON file for each of them.
 *
 * Always holds: a file is whole, and the last write of a name wins. One process at a time uses a
 * folder; only its owner may read it, since guests' files hold config drives.
 */

const SUFFIX = '.json';

export class WorldFiles<T> {
  private readonly files = new KeyedLock();

  private constructor(private readonly folder: string) {}

  /**
   * Makes the folder, and removes writes that were broken off.
   * @returns files, and content by name
   */
  static async open<T>(folder: string): Promise<[WorldFiles<T>, Map<string, T>]> {
    const content = new Map<string, T>();
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const file of await readdir(folder)) {
        const path = join(folder, file);
        if (!file.endsWith(SUFFIX)) await rm(path, { force: true });
        else {
          const name = file.slice(0, -SUFFIX.length);
          content.set(name, JSON.parse(await readFile(path, 'utf8')) as T);
        }
      }
    } catch (error) {
      throw asHypervisorError(error, "The simulated host's folder cannot be used");
    }
    return [new WorldFiles<T>(folder), content];
  }

  /**
   * Writes what `current` returns by the time of writing; removes the file for undefined. Throws
   * `capacity` or `transient` if it cannot be written.
   * @param name safe for a file
   */
  async keep(name: string, current: () => T | undefined): Promise<void> {
    await this.files.run(name, async () => {
      const path = join(this.folder, name + SUFFIX);
      const value = current();
      try {
        if (value === undefined) {
          await rm(path, { force: true });
          await sync(this.folder);
        } else await writeDurably(path, JSON.stringify(value));
      } catch (error) {
        throw asHypervisorError(error, 'The simulated host could not be written');
      }
    });
  }
}
