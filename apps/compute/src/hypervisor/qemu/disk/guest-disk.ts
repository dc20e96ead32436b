/**
 * A guest's disk: a qcow2 layer over its cached image. Once made it is never replaced, since a
 * running guest may be writing to it.
 */
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
    // Relative, so that the data directory as a whole can move.
    const backing = { path: relative(folder.path, base.path), format: base.kind };
    await qemuImg.createOverlay(temporary, backing, sizeBytes);
    await sync(temporary);
    // Unlike a rename, a link never replaces a disk that another process just made.
    await link(temporary, folder.disk).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(temporary, { force: true });
  }
  await sync(folder.path);
}

/**
 * Whether the guest has its disk. Throws `bug` if that is a layer over another image: over this one
 * its blocks would mean something else.
 */
export async function overlayExists(folder: GuestFolder, base: BaseImage): Promise<boolean> {
  const head = await diskHead(folder);
  if (head === undefined) return false;
  if (isOver(head, folder, base)) return true;
  throw new HypervisorError('bug', 'The disk of the server was made from another image.');
}

/** Whether the guest has its disk, and that is a layer over this image. */
export async function isOverlayOver(folder: GuestFolder, base: BaseImage): Promise<boolean> {
  const head = await diskHead(folder);
  return head !== undefined && isOver(head, folder, base);
}

function isOver(head: Buffer, folder: GuestFolder, base: BaseImage): boolean {
  return qcow2BackingFile(head) === relative(folder.path, base.path);
}

/** The first bytes of the guest's disk, or undefined if there is none. */
async function diskHead(folder: GuestFolder): Promise<Buffer | undefined> {
  try {
    return await readHead(folder.disk, IMAGE_HEAD_BYTES);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
