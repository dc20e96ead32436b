import { asService } from '@cumulet/clients/http/actor';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Images } from '../images.port.js';
import { imagesIn, type Snapshot } from '../servers/snapshots/snapshot.js';

/** An image, and whether it goes also where it is whole. */
export interface MadeImage {
  readonly id: string;
  readonly isShelved: boolean;
}

/** Removes what of a snapshot nobody is to keep. */
export async function dropImagesOf(
  ctx: RequestContext,
  images: Images,
  snapshot: Snapshot,
): Promise<void> {
  for (const made of madeImagesOf(snapshot)) await dropImage(ctx, images, made);
}

export function madeImagesOf(snapshot: Snapshot): MadeImage[] {
  const { isShelved } = snapshot;
  return imagesIn(snapshot).map(({ image: { id } }) => ({ id, isShelved }));
}

/** Removes an image that is not whole, or that a server was shelved as; any other is its owner's. */
export async function dropImage(
  ctx: RequestContext,
  images: Images,
  { id, isShelved }: MadeImage,
): Promise<void> {
  const found = await images.find(asService(ctx), id);
  if (found && (isShelved || found.status !== 'active')) await images.delete(asService(ctx), id);
}
