import { IMAGE_HEAD_BYTES } from '@cumulet/storage/disk-formats/image-bytes';
import { downloadImage, imageName, type BootImage, type OpenImage } from '../boot-image.js';
import type { CachedImage } from '../guest-images.js';
import {
  hasBootSignature,
  imageKind,
  qcow2VirtualSize,
  refuseUnsafeImage,
} from '../image-header.js';
import type { ImagesPort } from '../hypervisor-driver.js';
import type { SimulatedShare } from './simulated-share.js';
import type { SimulatedWorld } from './simulated-world.js';

/** Judges images as the real driver does, as far as their first bytes tell. */
export class SimulatedImages implements ImagesPort {
  constructor(private readonly share: SimulatedShare) {}

  async hasBaseImage(image: BootImage): Promise<boolean> {
    await this.share.faults.before('hasBaseImage');
    return this.share.world.useImage(imageName(image)) !== undefined;
  }

  async putBaseImage(image: BootImage, open: OpenImage): Promise<void> {
    await this.share.faults.before('putBaseImage');
    const name = imageName(image);
    const { world } = this.share;
    if (world.useImage(name)) return;
    await world.downloads.run(name, async () => {
      await world.addImage(name, await download(image, open));
    });
  }

  async evictUnusedImages(
    unusedMs: number,
    needed: () => Promise<ReadonlySet<string>>,
  ): Promise<string[]> {
    await this.share.faults.before('evictUnusedImages');
    const { world } = this.share;
    const evicted: string[] = [];
    for (const name of [...world.images.keys()]) {
      const isNeeded = (await needed()).has(name) || imagesOfDisks(world).has(name);
      // Nothing else runs between here and the removal.
      if (isNeeded) world.useImage(name);
      else if (Date.now() - world.lastUseOf(name) >= unusedMs) {
        await world.removeImage(name);
        evicted.push(name);
      }
    }
    return evicted;
  }
}

function imagesOfDisks(world: SimulatedWorld): Set<string> {
  const disks = [...world.guests.values()].flatMap(({ disk, keptDisk, rescueDisk }) => [
    disk,
    keptDisk,
    rescueDisk,
  ]);
  return new Set(disks.flatMap((disk) => (disk ? [imageName(disk.image)] : [])));
}

async function download(image: BootImage, open: OpenImage): Promise<CachedImage> {
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
    // A qcow2's first sector is found only by its tables; it is assumed to be bootable.
    bootable: kind === 'qcow2' || (kind === 'raw' && hasBootSignature(head)),
  };
}
