import type { Image } from './image.entity.js';
import type { ImageState } from './image.states.js';

/**
 * What clients see of a state: for them, data that is staged is still being uploaded, and an import
 * that waits for its turn is one like any other.
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

/** The bytes that clients see of an image: those of its data, or as long as it has none, staged ones. */
export function imageSize({ size, stagedSize }: Image): number | null {
  return size ?? stagedSize;
}

/** The same as SQL, to filter and to sort by. */
export const SIZE_COLUMN = 'COALESCE(size, staged_size)';
