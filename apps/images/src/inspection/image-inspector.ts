import { DomainError } from '@cumulet/common/errors/domain-error';
import { ImageSample } from './image-sample.js';
import { isJudged, judgeImage, type DeclaredFormats, type Verdict } from './judge-image.js';

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
