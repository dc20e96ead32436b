import { asService } from '@cumulet/clients/http/actor';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Images } from '../../images.port.js';

/** What of a snapshot says whether its image is to be kept. */
export interface MadeImage {
  readonly image: { readonly id: string };
  readonly isShelved: boolean;
}

/** Removes an image that is not whole, or that a server was shelved as; any other is its owner's. */
export async function dropImageOf(
  ctx: RequestContext,
  images: Images,
  { image: { id }, isShelved }: MadeImage,
): Promise<void> {
  const found = await images.find(asService(ctx), id);
  if (found && (isShelved || found.status !== 'active')) await images.delete(asService(ctx), id);
}
