import { Transform, type TransformCallback } from 'node:stream';

/** Lets a body pass, and fails where it is longer than it may be. */
export class LimitedBody extends Transform {
  #bytes = 0;
  isTooLong = false;

  constructor(private readonly limit: number) {
    super();
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= this.limit) {
      done(null, chunk);
      return;
    }
    this.isTooLong = true;
    done(new Error('the body is too long'));
  }
}
