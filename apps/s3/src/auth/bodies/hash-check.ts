/** Lets bytes pass, and fails at their end unless they have the SHA-256 that was signed. */
import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { S3Error } from '../../http/s3-error.js';

/** Taken ahead of whoever reads them. */
const AHEAD_BYTES = 256 * 1024;

export class HashCheck extends Transform {
  readonly #hash = createHash('sha256');

  /** @param expected in hexadecimal digits */
  constructor(private readonly expected: string) {
    super({ highWaterMark: AHEAD_BYTES });
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(bytes);
    done(null, bytes);
  }

  override _flush(done: TransformCallback): void {
    const computed = this.#hash.digest('hex');
    if (computed === this.expected) done();
    else
      done(
        new S3Error('XAmzContentSHA256Mismatch', {
          details: {
            ClientComputedContentSHA256: this.expected,
            S3ComputedContentSHA256: computed,
          },
        }),
      );
  }
}
