/**
 * The tasks of an import's nudges, which any worker takes. Downloads have one of their own, and
 * slots of their own with it: a server that is slow holds up nothing that is here already.
 */
import type { Image } from '../images/image.entity.js';
import { imageStates } from '../images/image.states.js';

export const IMAGE_TASK = imageStates.resource;
export const DOWNLOAD_TASK = `${imageStates.resource}-download`;

export function importTaskOf({ stagedSize }: Pick<Image, 'stagedSize'>): string {
  return stagedSize === null ? DOWNLOAD_TASK : IMAGE_TASK;
}
