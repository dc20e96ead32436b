import type { Image } from './image.entity.js';
import type { ImageState } from './image.states.js';

/** Clients see staged data as `uploading`, and a waiting import as `importing`. */
const STATUS: Readonly<Partial<Record<ImageState, string>>> = {
  staging: 'uploading',
  staged: 'uploading',
  import_waiting: 'importing',
};

export function imageStatus(state: ImageState): string {
  return STATUS[state] ?? state;
}

/** The states behind a status; none for a status that no image has. */
export function statesOf(status: string): ImageState[] {
  const hidden: ImageState[] = Object.keys(STATUS) as ImageState[];
  const aliased = hidden.filter((state) => STATUS[state] === status);
  return hidden.includes(status as ImageState) ? aliased : [...aliased, status as ImageState];
}

export function statusColumn(): string {
  const cases = Object.entries(STATUS).map(([state, status]) => `WHEN '${state}' THEN '${status}'`);
  return `(CASE state ${cases.join(' ')} ELSE state END)`;
}

/** The size shown to clients: that of the data or, before there is any, of the staged data. */
export function imageSize({ size, stagedSize }: Image): number | null {
  return size ?? stagedSize;
}

/** `imageSize` in SQL. */
export const SIZE_COLUMN = 'COALESCE(size, staged_size)';
