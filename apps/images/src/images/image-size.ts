import type { Image } from './image.entity.js';

/** The bytes that clients see of an image: those of its data, or as long as it has none, staged ones. */
export function imageSize({ size, stagedSize }: Image): number | null {
  return size ?? stagedSize;
}

/** The same as SQL, to filter and to sort by. */
export const SIZE_COLUMN = 'COALESCE(size, staged_size)';
