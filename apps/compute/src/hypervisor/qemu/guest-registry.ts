/**
 * The guests of this host: the folder, machine and images of each, and the order of calls on it.
 * All parts of the driver share one.
 *
 * Always holds: within this process, calls on one guest run one after the other, of whichever part.
 */
import { KeyedLock } from '@cumulet/common/context/keyed-lock';
import type { BootImage } from '../boot-image.js';
import { cachedDisk, findGuestImages, type DiskImage, type GuestImages } from '../guest-images.js';
import { asHypervisorError } from '../hypervisor-error.js';
import { type GuestSpec, rescueOf } from '../ports/guest-spec.js';
import type { BaseImage, BaseImageStore } from './image/base-image-store.js';
import { isOverlayOver } from './disk/guest-disk.js';
import { guestFolder, type GuestFolder } from './guest-folder.js';
import { GuestMachine, type MachineOptions } from './machine/guest-machine.js';

export class GuestRegistry {
  private readonly turns = new KeyedLock();

  constructor(
    readonly path: string,
    private readonly machines: MachineOptions,
    private readonly images: BaseImageStore,
  ) {}

  /** Runs `work` after all earlier work on this guest. @param doing as for `asHypervisorError` */
  inTurn<T>(
    guestId: string,
    doing: string,
    work: (machine: GuestMachine, folder: GuestFolder) => Promise<T>,
  ): Promise<T> {
    return this.turns.run(guestId, async () => {
      try {
        const folder = guestFolder(this.path, guestId);
        return await work(new GuestMachine(folder, this.machines), folder);
      } catch (error) {
        throw asHypervisorError(error, doing);
      }
    });
  }

  async rescueImagesOf(
    guest: GuestSpec,
    folder: GuestFolder,
  ): Promise<GuestImages<BaseImage> | undefined> {
    const rescue = rescueOf(guest);
    return rescue && this.imagesOf(rescue, { ...folder, disk: folder.rescueDisk });
  }

  imageOf(image: BootImage): Promise<DiskImage<BaseImage>> {
    return cachedDisk(image, (one) => this.images.find(one));
  }

  /** A guest with a disk of an earlier version keeps the images of then. */
  async imagesOf(guest: GuestSpec, folder: GuestFolder): Promise<GuestImages<BaseImage>> {
    const earlier = await this.images.findEarlier(guest.image.id);
    const isEarlier = earlier !== undefined && (await isOverlayOver(folder, earlier));
    return findGuestImages(guest, (image) =>
      isEarlier ? this.images.findEarlier(image.id) : this.images.find(image),
    );
  }
}
