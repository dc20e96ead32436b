import { DomainError } from '@cumulet/common/errors/domain-error';
import {
  cut,
  IMAGE_HEAD_BYTES,
  IMAGE_TAIL_BYTES,
  type ImageBytes,
  type Span,
} from '@cumulet/storage/disk-formats/image-bytes';
import { nextSpan } from '@cumulet/storage/disk-formats/vhdx';
import { type DeclaredFormats, isJudged, judgeImage, type Verdict } from './judge-image.js';

/**
 * Watches an image's data on its way to the store, and says at its end whether it may become the
 * image's. It holds nothing up: it copies the bytes that it needs, and lets the rest pass.
 */
export class ImageInspector {
  readonly #sample = new ImageSample();
  readonly #isJudged: boolean;

  constructor(private readonly declared: DeclaredFormats) {
    this.#isJudged = isJudged(declared);
  }

  /** @param chunk the next bytes; they are not kept */
  observe(chunk: Buffer): void {
    if (this.#isJudged) this.#sample.take(chunk);
  }

  /** Call it after the last byte. Never throws. */
  verdict(): Verdict {
    return judgeImage(this.declared, this.#sample);
  }

  /** The virtual size in bytes of data that may become the image's. @throws DomainError if not */
  acceptedSize(): number | null {
    const verdict = this.verdict();
    if (!verdict.isAccepted) throw new DomainError('unsupported-media-type', verdict.reason);
    return verdict.virtualSize;
  }
}

/**
 * The sample of an image's bytes that is kept while they pass: enough to judge the image, and never
 * more than a few hundred kilobytes, however large it is.
 *
 * Always holds: what is kept is a copy, so the memory of the bytes may be reused.
 */
export class ImageSample implements ImageBytes {
  readonly #head = new Stretch({ offset: 0, length: IMAGE_HEAD_BYTES });
  readonly #stretches = [this.#head];
  readonly #tail = new Tail();
  /** The stretch that is being filled; undefined once no more is needed before the end. */
  #open: Stretch | undefined = this.#head;
  #size = 0;

  /** Bytes that have passed. */
  get size(): number {
    return this.#size;
  }

  get head(): Buffer {
    return this.#head.bytes;
  }

  /** @param chunk the bytes right after the previous chunk */
  take(chunk: Buffer): void {
    const position = this.#size;
    this.#size += chunk.length;
    this.#tail.take(chunk);
    while (this.#open?.isFullWith(chunk, position) === true) this.#openNext(position);
  }

  at(offset: number, length: number): Buffer | undefined {
    for (const stretch of this.#stretches) {
      const found = cut(stretch.bytes, offset - stretch.offset, length);
      if (found) return found;
    }
    const { bytes } = this.#tail;
    return cut(bytes, offset - (this.#size - bytes.length), length);
  }

  /** Bytes that have already passed are lost; the judgement then does without them. */
  #openNext(position: number): void {
    const span = nextSpan(this);
    this.#open = span && span.offset >= position ? new Stretch(span) : undefined;
    if (this.#open) this.#stretches.push(this.#open);
  }
}

/** Consecutive bytes of an image, filled as they pass. */
class Stretch {
  readonly offset: number;
  readonly #bytes: Buffer;
  #filled = 0;

  constructor({ offset, length }: Span) {
    this.offset = offset;
    this.#bytes = Buffer.allocUnsafe(length);
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#filled);
  }

  /**
   * Takes its part of a chunk.
   * @param position where the chunk begins: never past the first missing byte
   */
  isFullWith(chunk: Buffer, position: number): boolean {
    const from = this.offset + this.#filled - position;
    if (from < chunk.length) this.#filled += chunk.copy(this.#bytes, this.#filled, from);
    return this.#filled === this.#bytes.length;
  }
}

/** The last bytes that have passed. */
class Tail {
  readonly #bytes = Buffer.alloc(IMAGE_TAIL_BYTES);
  #filled = 0;

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#filled);
  }

  take(chunk: Buffer): void {
    const taken = Math.min(chunk.length, IMAGE_TAIL_BYTES);
    const kept = Math.min(this.#filled, IMAGE_TAIL_BYTES - taken);
    this.#bytes.copyWithin(0, this.#filled - kept, this.#filled);
    chunk.copy(this.#bytes, kept, chunk.length - taken);
    this.#filled = kept + taken;
  }
}
