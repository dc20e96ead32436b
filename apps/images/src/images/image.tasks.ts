/**
 * Each task has its own worker slots, so imports do not delay deletions, and slow servers do not
 * delay imports of staged data.
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

/** @param image with the state that it will have when the nudge arrives */
export function nudgeImage(
  tx: RequestContext,
  image: Pick<Image, 'id' | 'state' | 'stagedSize'>,
  delayMs = 0,
): Promise<void> {
  const { resource } = imageStates;
  return nudge(tx, { task: imageTaskOf(image), resource, id: image.id, delayMs });
}
