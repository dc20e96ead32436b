import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { IMAGE_HEAD_BYTES } from '@cumulet/storage/disk-formats/image-bytes';
import type { BootImage, OpenImage } from '../../boot-image.js';
import { asHypervisorError, errorCode } from '../../hypervisor-error.js';
import type { ImagesPort } from '../../hypervisor-driver.js';
import { qcow2BackingFile, readHead } from '../../image-header.js';
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

/** Images cached under the ID alone may be kernels of guests from then. */
function withEarlier(names: ReadonlySet<string>): string[] {
  return [...names].flatMap((name) => [name, name.slice(0, name.indexOf('.'))]);
}

const QCOW2_MAGIC = 0x514649fb;
/** Disks, those of rescues, and those being made under temporary names. */
const LAYER = /\.qcow2(\.|$)/;

/** Folder names of the images that guests' disks are layers over. */
async function backingImages(guestsFolder: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (const guest of await entriesOf(guestsFolder)) {
    if (!guest.isDirectory()) continue;
    const folder = join(guestsFolder, guest.name);
    for (const file of await entriesOf(folder)) {
      if (!file.isFile() || !LAYER.test(file.name)) continue;
      const backing = await backingOf(join(folder, file.name));
      if (backing !== undefined) names.add(basename(dirname(backing)));
    }
  }
  return names;
}

async function backingOf(path: string): Promise<string | undefined> {
  try {
    const head = await readHead(path, IMAGE_HEAD_BYTES);
    // A disk that is being made has no header yet.
    const isQcow2 = head.length >= 20 && head.readUInt32BE(0) === QCOW2_MAGIC;
    return isQcow2 ? qcow2BackingFile(head) : undefined;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Empty if the folder was removed meanwhile. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
}
