/**
 * The tasks of an image's nudges, which any worker takes. Each has its own slots, so an import
 * holds up no delete, and a slow server holds up no import of staged data.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { nudge } from '@cumulet/common/jobs/nudge';
import type { Image } from './image.entity.js';
import { IMPORT_STATES, imageStates } from './image.states.js';

export const IMPORT_TASK = 'image';
export const DOWNLOAD_TASK = 'image-download';
export const UPKEEP_TASK = 'image-upkeep';

export function imageTaskOf({ state, stagedSize }: Pick<Image, 'state' | 'stagedSize'>): string {
  if (!IMPORT_STATES.includes(state)) return UPKEEP_TASK;
  return stagedSize === null ? DOWNLOAD_TASK : IMPORT_TASK;
}

/** @param image with the state that it has by then */
export function nudgeImage(
  tx: RequestContext,
  image: Pick<Image, 'id' | 'state' | 'stagedSize'>,
  delayMs = 0,
): Promise<void> {
  const { resource } = imageStates;
  return nudge(tx, { task: imageTaskOf(image), resource, id: image.id, delayMs });
}
