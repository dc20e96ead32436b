/** The file of a form as a body, whose length is known in the end. */
import { pipeline, Transform, type Readable, type TransformCallback } from 'node:stream';
import type { FormFields, SizeLimits } from '../../auth/post/post-policy.js';
import type { RequestBody } from '../../auth/request-body.js';
import { S3Error } from '../../http/s3-error.js';

export class FormFile implements RequestBody {
  readonly length = undefined;

  /**
   * @param fields of its form
   * @param limits of its form's policy
   */
  constructor(
    readonly fields: FormFields,
    private readonly file: Readable,
    private readonly limits: SizeLimits,
  ) {}

  open(): Readable {
    const check = new LengthCheck(this.limits);
    pipeline(this.file, check, () => undefined);
    return check;
  }

  trailers(): Readonly<Record<string, string>> {
    return {};
  }
}

/** Lets bytes pass, and fails if they are too many or in the end too few. */
class LengthCheck extends Transform {
  #size = 0;

  constructor(private readonly limits: SizeLimits) {
    super();
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const { max } = this.limits;
    this.#size += bytes.length;
    if (this.#size <= max) done(null, bytes);
    else done(new S3Error('EntityTooLarge', { details: { MaxSizeAllowed: max } }));
  }

  override _flush(done: TransformCallback): void {
    const { min } = this.limits;
    const details = { ProposedSize: this.#size, MinSizeAllowed: min };
    done(this.#size < min ? new S3Error('EntityTooSmall', { details }) : null);
  }
}
