import type { BootImage, OpenImage } from '../boot-image.js';
import type { ImagesPort } from '../ports/images.port.js';
import type { BaseImageStore } from './base-image-store.js';

export class QemuImages implements ImagesPort {
  constructor(private readonly store: BaseImageStore) {}

  async hasBaseImage(image: BootImage): Promise<boolean> {
    return (await this.store.find(image)) !== undefined;
  }

  async putBaseImage(image: BootImage, open: OpenImage): Promise<void> {
    await this.store.put(image, open);
  }
}
