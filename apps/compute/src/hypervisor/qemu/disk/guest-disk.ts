/** A guest's disk: a qcow2 layer over its image, never replaced, as the guest may be writing. */
import { link, rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { IMAGE_HEAD_BYTES } from '@cumulet/storage/disk-formats/image-bytes';
import { sync, temporaryName } from '@cumulet/common/files/durable-file';
import { errorCode, HypervisorError } from '../../hypervisor-error.js';
import { guestDiskBytes, type GuestImages } from '../../guest-images.js';
import type { GuestSpec } from '../../ports/guest-spec.js';
import { qcow2BackingFile, readHead } from '../../image-header.js';
import type { BaseImage } from '../image/base-image-store.js';
import { makeGuestFolder, type GuestFolder } from '../guest-folder.js';
import type { QemuImg } from '../image/qemu-img.js';

/** See `ensureDisk` of the port. */
export async function ensureOverlay(
  qemuImg: QemuImg,
  folder: GuestFolder,
  guest: GuestSpec,
  images: GuestImages<BaseImage>,
): Promise<void> {
  const { base } = images;
  const sizeBytes = guestDiskBytes(guest, images);
  if (await overlayExists(folder, base)) return;

  await makeGuestFolder(folder);
  const temporary = temporaryName(folder.disk);
  try {
    // Relative, so that the data directory can move.
    const backing = { path: relative(folder.path, base.path), format: base.kind };
    await qemuImg.createOverlay(temporary, backing, sizeBytes);
    await sync(temporary);
    // A link, unlike a rename, never replaces a disk that another process made.
    await link(temporary, folder.disk).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(temporary, { force: true });
  }
  await sync(folder.path);
}

/** Throws `bug` for a layer over another image: its blocks would mean something else here. */
export async function overlayExists(folder: GuestFolder, base: BaseImage): Promise<boolean> {
  const head = await diskHead(folder);
  if (head === undefined) return false;
  if (isOver(head, folder, base)) return true;
  throw new HypervisorError('bug', 'The disk of the server was made from another image.');
}

export async function isOverlayOver(folder: GuestFolder, base: BaseImage): Promise<boolean> {
  const head = await diskHead(folder);
  return head !== undefined && isOver(head, folder, base);
}

function isOver(head: Buffer, folder: GuestFolder, base: BaseImage): boolean {
  return qcow2BackingFile(head) === relative(folder.path, base.path);
}

/** Undefined without a disk. */
async function diskHead(folder: GuestFolder): Promise<Buffer | undefined> {
  try {
    return await readHead(folder.disk, IMAGE_HEAD_BYTES);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
