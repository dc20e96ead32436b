/**
 * Images cached on this host, in a folder each: `data` as uploaded, and `image.json` with the
 * findings. Guests' disks are layers over `data`, which is never rewritten.
 *
 * Always holds: a folder under an image's name is complete, judged, and matches the hash in the
 * name; an incomplete one has another name, and is removed once its process is gone. A folder under
 * an ID alone is from an earlier version: it serves the disks over it, and no new one.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { IMAGE_HEAD_BYTES } from '@cumulet/storage/disk-formats/image-bytes';
import { sync, withFile } from '@cumulet/common/files/durable-file';
import {
  downloadImage,
  imageName,
  requireImageId,
  type BootImage,
  type OpenImage,
} from '../../boot-image.js';
import type { CachedImage } from '../../guest-images.js';
import { asHypervisorError, errorCode } from '../../hypervisor-error.js';
import {
  badImage,
  hasBootSignature,
  imageKind,
  refuseUnsafeImage,
  type BaseImageKind,
  readHead,
} from '../../image-header.js';
import { SharedWork } from '../../shared-work.js';
import { restoreHidden, evictUnused, touchImage, isAlive } from './image-eviction.js';
import type { QemuImg } from './qemu-img.js';

export interface BaseImage extends CachedImage {
  readonly path: string;
}

const INCOMING = /^\.incoming-(\d+)-/;

export class BaseImageStore {
  private readonly downloads = new SharedWork();

  constructor(
    private readonly folder: string,
    private readonly qemuImg: QemuImg,
  ) {}

  /** Undefined if it is not cached. Looking for an image is a use. */
  find(image: BootImage): Promise<BaseImage | undefined> {
    return this.read(imageName(image));
  }

  /** An earlier version cached it under the ID alone. */
  findEarlier(imageId: string): Promise<BaseImage | undefined> {
    requireImageId(imageId);
    return this.read(imageId);
  }

  /** See `putBaseImage` of the port. */
  async put(image: BootImage, open: OpenImage): Promise<void> {
    await this.downloads.run(imageName(image), () => this.download(image, open));
  }

  /** @param used names in use at each call @returns the names of those removed */
  async evictUnused(unusedMs: number, used: () => Promise<ReadonlySet<string>>): Promise<string[]> {
    return evictUnused(this.folder, unusedMs, used);
  }

  /** Removes downloads of dead processes, and undoes their evictions. */
  async removeLeftovers(): Promise<void> {
    await restoreHidden(this.folder);
    for (const name of await readdir(this.folder)) {
      const owner = INCOMING.exec(name)?.[1];
      if (owner === undefined || isAlive(Number(owner))) continue;
      await rm(join(this.folder, name), { recursive: true, force: true });
    }
  }

  private async read(name: string): Promise<BaseImage | undefined> {
    const folder = join(this.folder, name);
    try {
      // Touched before it is read, so that a concurrent eviction notices.
      if (!(await touchImage(this.folder, name))) return undefined;
      const facts = await readFile(join(folder, 'image.json'), 'utf8');
      return { ...(JSON.parse(facts) as CachedImage), path: join(folder, 'data') };
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw asHypervisorError(error, `The cached image ${name} could not be read`);
    }
  }

  private async download(image: BootImage, open: OpenImage): Promise<void> {
    if ((await this.find(image)) !== undefined) return;
    const kind = imageKind(image.id, image.diskFormat);
    const incoming = join(this.folder, `.incoming-${process.pid}-${randomUUID()}`);
    try {
      await mkdir(incoming, { mode: 0o700 });
      const path = join(incoming, 'data');
      const bytes = await withFile(path, 'wx', async (file) => {
        const received = await downloadImage(image, open, (part) => file.writeFile(part));
        await file.sync();
        return received;
      });
      const facts = await this.judge(image.id, kind, path, bytes, join(incoming, 'scratch'));
      await rm(join(incoming, 'scratch'), { force: true });
      await withFile(join(incoming, 'image.json'), 'wx', async (file) => {
        await file.writeFile(JSON.stringify(facts));
        await file.sync();
      });
      await sync(incoming);
      await this.publish(incoming, imageName(image));
    } catch (error) {
      throw asHypervisorError(error, `Image ${image.id} could not be stored on the host`);
    } finally {
      await rm(incoming, { recursive: true, force: true });
    }
  }

  /** Gives a complete image its name; the copy of a faster process stays. */
  private async publish(incoming: string, name: string): Promise<void> {
    try {
      await rename(incoming, join(this.folder, name));
    } catch (error) {
      const code = errorCode(error);
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    }
    await sync(this.folder);
  }

  private async judge(
    imageId: string,
    kind: BaseImageKind,
    path: string,
    bytes: number,
    scratch: string,
  ): Promise<CachedImage> {
    const head = await readHead(path, IMAGE_HEAD_BYTES);
    refuseUnsafeImage(imageId, kind, head);
    if (kind !== 'qcow2') {
      const bootable = kind === 'raw' && hasBootSignature(head);
      return { kind, virtualSizeBytes: bytes, bootable };
    }
    const virtualSizeBytes = await this.qemuImg.virtualSize(path, kind);
    if (virtualSizeBytes === undefined) throw badImage(imageId, 'is a damaged qcow2 file');
    const sector = await this.qemuImg.firstSector(path, kind, scratch);
    return { kind, virtualSizeBytes, bootable: hasBootSignature(sector) };
  }
}
