import type { BootImage, OpenImage } from '../boot-image.js';
import { asHypervisorError } from '../hypervisor-error.js';
import type { ImagesPort } from '../ports/images.port.js';
import { backingImages } from './backing-images.js';
import type { BaseImageStore } from './base-image-store.js';

export class QemuImages implements ImagesPort {
  /** @param guestsFolder the folder of all guests' folders */
  constructor(
    private readonly store: BaseImageStore,
    private readonly guestsFolder: string,
  ) {}

  async hasBaseImage(image: BootImage): Promise<boolean> {
    return (await this.store.find(image)) !== undefined;
  }

  async putBaseImage(image: BootImage, open: OpenImage): Promise<void> {
    await this.store.put(image, open);
  }

  async evictUnusedImages(
    unusedMs: number,
    needed: () => Promise<ReadonlySet<string>>,
  ): Promise<string[]> {
    try {
      return await this.store.evictUnused(
        unusedMs,
        async () =>
          // In this order: an image is needed before a disk is made over it.
          new Set([...withEarlier(await needed()), ...(await backingImages(this.guestsFolder))]),
      );
    } catch (error) {
      throw asHypervisorError(error, 'Unused images could not be removed from the host');
    }
  }
}

/** What an earlier version cached under the id alone may be the kernel of a guest from then. */
function withEarlier(names: ReadonlySet<string>): string[] {
  return [...names].flatMap((name) => [name, name.slice(0, name.indexOf('.'))]);
}
