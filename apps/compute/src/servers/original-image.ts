import type { RequestContext } from '@cumulet/common/context/request-context';
import type { BootImage } from '../hypervisor/boot-image.js';
import type { Images } from '../images.port.js';
import { bootableImage } from './bootable-image.js';
import type { Server } from './server.entity.js';

/**
 * The image that a server was created from. One that was shelved or moved is a layer over an image of
 * its own disk, which only its host has.
 * @param sizes that it must not be larger than
 * @throws ImageUnusableError where that is another, and gone
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
