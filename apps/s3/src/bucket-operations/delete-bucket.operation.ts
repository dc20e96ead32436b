/** Public source: Amazon S3 API reference, DeleteBucket. */
import { inTransaction } from '@cumulet/common/database/transaction';
import { violatesForeignKey } from '@cumulet/common/database/violations';
import { Injectable } from '@nestjs/common';
import type { Bucket } from '../buckets/bucket.entity.js';
import { BucketRepository } from '../buckets/bucket.repository.js';
import { NO_CONTENT, type S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import { Handles, type BucketCall, type Operation } from '../operations/operation.js';

@Injectable()
@Handles('DeleteBucket')
export class DeleteBucket implements Operation<BucketCall> {
  constructor(private readonly buckets: BucketRepository) {}

  /**
   * Ends its uploads.
   * @throws S3Error BucketNotEmpty, also for delete markers and old versions; OperationAborted
   */
  async run({ ctx, bucket }: BucketCall): Promise<S3Answer> {
    try {
      await inTransaction(ctx, async (tx) => {
        if (!(await this.buckets.delete(tx, bucket))) throw notEmpty(bucket);
      });
    } catch (error) {
      if (!violatesForeignKey(error, 'uploads_bucket_id_fkey')) throw error;
      throw new S3Error('OperationAborted', {
        message: `A multipart upload was started in the bucket ${bucket.name} while it was deleted. Try again.`,
      });
    }
    return NO_CONTENT;
  }
}

function notEmpty({ name, versioning }: Bucket): S3Error {
  const what = versioning === 'off' ? '' : ' You must delete all versions in the bucket.';
  return new S3Error('BucketNotEmpty', {
    message: `The bucket you tried to delete is not empty.${what}`,
    details: { BucketName: name },
  });
}
