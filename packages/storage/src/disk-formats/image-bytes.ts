/** The leading bytes of an image that readers examine; fewer if the image is shorter. */
export const IMAGE_HEAD_BYTES = 64 * 1024;

/** The trailing bytes: the longest footer, a stream-optimised VMDK's, has three sectors. */
export const IMAGE_TAIL_BYTES = 3 * 512;

export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** The available bytes of an image, rarely all of them. */
export interface ImageBytes {
  /** Bytes of the whole image; undefined if its end is unknown. */
  readonly size: number | undefined;
  /** The first bytes: `IMAGE_HEAD_BYTES`, or all if there are fewer. */
  readonly head: Buffer;
  /** All bytes of the span; undefined if any of them is unavailable or beyond the image. */
  at(offset: number, length: number): Buffer | undefined;
}

/** An image of which all bytes are available. */
export function wholeImage(bytes: Buffer): ImageBytes {
  return {
    size: bytes.length,
    head: bytes.subarray(0, IMAGE_HEAD_BYTES),
    at: (offset, length) => cut(bytes, offset, length),
  };
}

/** @param head the image's first `IMAGE_HEAD_BYTES`, or all if it has fewer */
export function imageStart(head: Buffer): ImageBytes {
  const isWhole = head.length < IMAGE_HEAD_BYTES;
  return { ...wholeImage(head), size: isWhole ? head.length : undefined };
}

/** `length` bytes of a buffer; undefined unless it has them all. */
export function cut(bytes: Buffer, offset: number, length: number): Buffer | undefined {
  const isThere = offset >= 0 && length >= 0 && offset + length <= bytes.length;
  return isThere ? bytes.subarray(offset, offset + length) : undefined;
}

/** Whether exactly these bytes are at `offset`. */
export function holds(image: ImageBytes, offset: number, expected: Buffer): boolean {
  return image.at(offset, expected.length)?.equals(expected) === true;
}
