/**
 * Where bytes lie once they are encrypted: in frames of 64 KiB, each with its own authentication
 * tag, so that a part of them is read without the rest. Pure.
 */
export const FRAME_BYTES = 64 * 1024;
export const TAG_BYTES = 16;
const STORED_FRAME_BYTES = FRAME_BYTES + TAG_BYTES;

interface Range {
  readonly first: number;
  readonly last: number;
}

/** What to read for a range, and what to leave out of it once it is decrypted. */
export interface FrameRange {
  /** Of the first frame, from 0. */
  readonly index: number;
  /** Positions in what is stored, inclusive. */
  readonly stored: Range;
  /** Bytes before the range in the first frame. */
  readonly skip: number;
  /** Bytes of the range. */
  readonly length: number;
}

/** The index of the last frame. @param size in bytes before they are encrypted, at least 1 */
export function lastFrameOf(size: number): number {
  return Math.ceil(size / FRAME_BYTES) - 1;
}

/** @param size in bytes before they are encrypted. @returns bytes that are stored */
export function storedSizeOf(size: number): number {
  return size === 0 ? 0 : size + TAG_BYTES * (lastFrameOf(size) + 1);
}

export function framesOf({ first, last }: Range, size: number): FrameRange {
  const index = Math.floor(first / FRAME_BYTES);
  const end = Math.floor(last / FRAME_BYTES);
  return {
    index,
    stored: {
      first: index * STORED_FRAME_BYTES,
      last: Math.min((end + 1) * STORED_FRAME_BYTES, storedSizeOf(size)) - 1,
    },
    skip: first - index * FRAME_BYTES,
    length: last - first + 1,
  };
}
