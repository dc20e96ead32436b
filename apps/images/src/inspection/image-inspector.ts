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

/** Samples data on its way to the store, and judges it at the end. */
export class ImageInspector {
  readonly #sample = new ImageSample();
  readonly #isJudged: boolean;

  constructor(private readonly declared: DeclaredFormats) {
    this.#isJudged = isJudged(declared);
  }

  /** @param chunk is not kept */
  observe(chunk: Buffer): void {
    if (this.#isJudged) this.#sample.take(chunk);
  }

  verdict(): Verdict {
    return judgeImage(this.declared, this.#sample);
  }

  /** Returns the virtual size in bytes. @throws DomainError for unacceptable data */
  acceptedSize(): number | null {
    const verdict = this.verdict();
    if (!verdict.isAccepted) throw new DomainError('unsupported-media-type', verdict.reason);
    return verdict.virtualSize;
  }
}

/** Copies enough of the passing bytes to judge the image: at most a few hundred kilobytes. */
export class ImageSample implements ImageBytes {
  readonly #head = new Stretch({ offset: 0, length: IMAGE_HEAD_BYTES });
  readonly #stretches = [this.#head];
  readonly #tail = new Tail();
  /** Undefined once no more is needed before the end. */
  #open: Stretch | undefined = this.#head;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get head(): Buffer {
    return this.#head.bytes;
  }

  /** @param chunk follows the previous one directly */
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

  /** Bytes that have passed are lost, and the verdict does without them. */
  #openNext(position: number): void {
    const span = nextSpan(this);
    this.#open = span && span.offset >= position ? new Stretch(span) : undefined;
    if (this.#open) this.#stretches.push(this.#open);
  }
}

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
   * Copies its part of a chunk.
   * @param position offset of the chunk, at or before the first missing byte
   */
  isFullWith(chunk: Buffer, position: number): boolean {
    const from = this.offset + this.#filled - position;
    if (from < chunk.length) this.#filled += chunk.copy(this.#bytes, this.#filled, from);
    return this.#filled === this.#bytes.length;
  }
}

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
