/** Public source: Amazon S3 API reference, DeleteBucketPolicy. */
import { Injectable } from '@nestjs/common';
import { BucketRepository } from '../../buckets/bucket.repository.js';
import { NO_CONTENT, type S3Answer } from '../../http/s3-answer.js';
import { Handles } from '../../operations/handles.js';
import type { BucketCall, Operation } from '../../operations/operation.js';

@Injectable()
@Handles('DeleteBucketPolicy')
export class DeleteBucketPolicy implements Operation<BucketCall> {
  constructor(private readonly buckets: BucketRepository) {}

  /** Also where there is none. */
  async run({ ctx, bucket }: BucketCall): Promise<S3Answer> {
    await this.buckets.configure(ctx, bucket, 'policy', null);
    return NO_CONTENT;
  }
}
