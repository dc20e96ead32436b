/**
 * Lets the objects of a bucket be locked, for good, and says how they are by default. Public source:
 * Amazon S3 API reference, "PutObjectLockConfiguration".
 */
import { inTransaction } from '@cumulet/common/database/transaction';
import { Injectable } from '@nestjs/common';
import { BucketRepository } from '../../buckets/bucket.repository.js';
import { xmlOf } from '../../http/read-document.js';
import type { S3Answer } from '../../http/s3-answer.js';
import { S3Error } from '../../http/s3-error.js';
import { Handles } from '../../operations/handles.js';
import type { BucketCall, Operation } from '../../operations/operation.js';
import { defaultRetentionOf } from './object-lock-rule.js';

@Injectable()
@Handles('PutObjectLockConfiguration')
export class PutObjectLockConfiguration implements Operation<BucketCall> {
  constructor(private readonly buckets: BucketRepository) {}

  async run(call: BucketCall): Promise<S3Answer> {
    const { ctx, bucket } = call;
    const retention = defaultRetentionOf(await xmlOf(call, 'ObjectLockConfiguration'));
    await inTransaction(ctx, async (tx) => {
      if (!(await this.buckets.enableObjectLock(tx, bucket))) {
        throw new S3Error('InvalidBucketState', {
          message: `Versioning must be 'Enabled' on the bucket ${bucket.name} to apply an Object Lock configuration.`,
        });
      }
      await this.buckets.configure(tx, bucket, 'objectLock', retention);
    });
    return {};
  }
}
