/** Rules by which a guest's images fit each other and its flavor, for all drivers. */
import type { BootImage } from './boot-image.js';
import { HypervisorError } from './hypervisor-error.js';
import type { GuestSpec } from './ports/guest-spec.js';
import { badImage, type BaseImageKind } from './image-header.js';

export interface CachedImage {
  readonly kind: BaseImageKind;
  /** Size of the guest's disk; of a kernel or ramdisk, of the file. */
  readonly virtualSizeBytes: number;
  /** Whether a machine can boot from it alone. */
  readonly bootable: boolean;
}

/** A cached image that a disk is made from. */
export type DiskImage<T extends CachedImage> = T & { readonly kind: 'raw' | 'qcow2' };

export interface GuestImages<T extends CachedImage> {
  readonly base: DiskImage<T>;
  readonly kernel: T | undefined;
  readonly ramdisk: T | undefined;
}

const GIB = 1024 ** 3;

type Find<T extends CachedImage> = (image: BootImage) => Promise<T | undefined>;

/** Throws `not-ready` if an image is not cached, `bad-image` if it is of the wrong kind. */
export async function findGuestImages<T extends CachedImage>(
  guest: GuestSpec,
  find: Find<T>,
): Promise<GuestImages<T>> {
  const bootFile = async (
    wanted: BootImage | undefined,
    kind: BaseImageKind,
  ): Promise<T | undefined> => {
    if (wanted === undefined) return undefined;
    const image = await cached(wanted, find);
    if (image.kind !== kind) throw badImage(wanted.id, `is not a ${kind}`);
    return image;
  };

  return {
    base: await cachedDisk(guest.image, find),
    kernel: await bootFile(guest.kernel, 'kernel'),
    ramdisk: await bootFile(guest.ramdisk, 'ramdisk'),
  };
}

export async function cachedDisk<T extends CachedImage>(
  wanted: BootImage,
  find: Find<T>,
): Promise<DiskImage<T>> {
  const image = await cached(wanted, find);
  const { kind } = image;
  if (kind === 'raw' || kind === 'qcow2') return { ...image, kind };
  throw badImage(wanted.id, `is a ${kind} and cannot be a server's disk`);
}

async function cached<T extends CachedImage>(wanted: BootImage, find: Find<T>): Promise<T> {
  const image = await find(wanted);
  if (image !== undefined) return image;
  throw new HypervisorError('not-ready', `Image ${wanted.id} is not cached on the host.`);
}

/** Throws `bad-image` if the flavor's disk is smaller than the image, or the guest cannot boot. */
export function guestDiskBytes(guest: GuestSpec, images: GuestImages<CachedImage>): number {
  const { base, kernel } = images;
  if (kernel === undefined && !base.bootable) {
    throw badImage(guest.image.id, 'has no boot sector, so no server can boot from it');
  }
  if (guest.diskGb === 0) return base.virtualSizeBytes;
  const bytes = guest.diskGb * GIB;
  if (bytes < base.virtualSizeBytes) {
    const needed = Math.ceil(base.virtualSizeBytes / GIB);
    throw badImage(
      guest.image.id,
      `needs a disk of ${needed} GB; the flavor has ${guest.diskGb} GB`,
    );
  }
  return bytes;
}
