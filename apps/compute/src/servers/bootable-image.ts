/** A server's copy of its image's facts, from the images service's answer. */
import { asCaller } from '@cumulet/clients/http/actor';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Flavor } from '../flavors/flavor.resource.js';
import type { BootImage } from '../hypervisor/boot-image.js';
import type { Image, Images } from '../images.port.js';
import { FlavorUnusableError, ImageUnusableError } from './server.errors.js';
import type { Server } from './server.entity.js';

type FlavorSizes = Pick<Flavor, 'memoryMb' | 'diskGb'>;

const DISK_FORMATS = ['raw', 'qcow2', 'ami'];

/**
 * @throws ImageUnusableError naming the fault of the image, its kernel or its ramdisk
 * @throws FlavorUnusableError if the flavor is smaller than the image requires
 */
export async function bootableImage(
  ctx: RequestContext,
  images: Images,
  imageId: string,
  flavor: FlavorSizes,
): Promise<BootImage> {
  const { facts, image } = await activeImage(ctx, images, imageId, imageId);
  if (!DISK_FORMATS.includes(image.diskFormat)) {
    throw new ImageUnusableError(
      imageId,
      `its disk_format is ${image.diskFormat}, not one of ${DISK_FORMATS.join(', ')}`,
    );
  }
  checkFlavor(flavor, facts);
  const { kernelId, ramdiskId } = facts;
  if (kernelId === undefined) {
    if (image.diskFormat === 'ami')
      throw new ImageUnusableError(imageId, 'it is an ami without a kernel_id');
    return image;
  }
  const { image: kernel } = await activeImage(ctx, images, imageId, kernelId);
  if (ramdiskId === undefined) return { ...image, kernel };
  const { image: ramdisk } = await activeImage(ctx, images, imageId, ramdiskId);
  return { ...image, kernel, ramdisk };
}

/** @param forImage the image in messages: a kernel is part of it */
async function activeImage(
  ctx: RequestContext,
  images: Images,
  forImage: string,
  id: string,
): Promise<{ readonly facts: Image; readonly image: BootImage }> {
  const what = forImage === id ? 'it' : `its kernel or ramdisk ${id}`;
  const facts = await images.find(asCaller(ctx), id);
  if (!facts) throw new ImageUnusableError(forImage, `${what} does not exist`);
  const { status, diskFormat, sizeBytes, sha512 } = facts;
  if (status !== 'active')
    throw new ImageUnusableError(forImage, `${what} is ${status}, not active`);
  if (diskFormat === undefined || sizeBytes === undefined || sha512 === undefined) {
    throw new ImageUnusableError(forImage, `${what} has no disk_format, size or hash`);
  }
  return {
    facts,
    image: { id: facts.id, diskFormat, sizeBytes, sha512, properties: forGuests(facts) },
  };
}

/** @throws FlavorUnusableError if the flavor is smaller than the image requires */
export function checkFlavor(flavor: FlavorSizes, { minDiskGb, minMemoryMb }: Image): void {
  if (flavor.memoryMb < minMemoryMb) {
    throw new FlavorUnusableError(
      `Flavor's memory is too small for requested image: ${flavor.memoryMb} MB, where its min_ram is ${minMemoryMb} MB.`,
    );
  }
  if (flavor.diskGb !== 0 && flavor.diskGb < minDiskGb) {
    throw new FlavorUnusableError(
      `Flavor's disk is too small for requested image: ${flavor.diskGb} GB, where its min_disk is ${minDiskGb} GB.`,
    );
  }
}

/** Properties of the image for guests and schedulers. */
function forGuests({ properties }: Image): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => /^(hw|img|os)_/.test(name)),
  );
}

/**
 * The image that a server was created from; one that was shelved or moved has an image of its own
 * disk under it, which only its host has.
 * @param sizes upper bounds
 * @throws ImageUnusableError if the original is needed, and gone
 */
export async function originalImage(
  ctx: RequestContext,
  images: Images,
  { image, imageId }: Pick<Server, 'image' | 'imageId'>,
  sizes: Pick<Server, 'memoryMb' | 'diskGb'>,
): Promise<BootImage> {
  if (image.id === imageId) return image;
  return bootableImage(ctx, images, imageId, sizes);
}
