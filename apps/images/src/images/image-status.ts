import type { Image } from './image.entity.js';
import type { ImageState } from './image.states.js';

/**
 * The status that clients see for a state: to them staged data is still being uploaded, and an
 * import that waits for its turn looks like any other.
 */
const STATUS: Readonly<Partial<Record<ImageState, string>>> = {
  staging: 'uploading',
  staged: 'uploading',
  import_waiting: 'importing',
};

export function imageStatus(state: ImageState): string {
  return STATUS[state] ?? state;
}

/** The states that a client means by a status; none for a status that no image has. */
export function statesOf(status: string): ImageState[] {
  const hidden: ImageState[] = Object.keys(STATUS) as ImageState[];
  const aliased = hidden.filter((state) => STATUS[state] === status);
  return hidden.includes(status as ImageState) ? aliased : [...aliased, status as ImageState];
}

/** The status as SQL, to sort by. */
export function statusColumn(): string {
  const cases = Object.entries(STATUS).map(([state, status]) => `WHEN '${state}' THEN '${status}'`);
  return `(CASE state ${cases.join(' ')} ELSE state END)`;
}

/**
 * The size that clients see: that of the image's data or, while it has none, of its staged data.
 */
export function imageSize({ size, stagedSize }: Image): number | null {
  return size ?? stagedSize;
}

/** The same as SQL, to filter and to sort by. */
export const SIZE_COLUMN = 'COALESCE(size, staged_size)';
