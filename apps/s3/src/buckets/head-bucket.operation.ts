/** Whether there is a bucket, and where. Public source: Amazon S3 API reference, HeadBucket. */
import { Injectable } from '@nestjs/common';
import type { S3Answer } from '../http/s3-answer.js';
import { Handles } from '../operations/handles.js';
import type { BucketCall, Operation } from '../operations/operation.js';

@Injectable()
@Handles('HeadBucket')
export class HeadBucket implements Operation<BucketCall> {
  run({ bucket }: BucketCall): Promise<S3Answer> {
    const headers = {
      'x-amz-bucket-region': bucket.region,
      'x-amz-access-point-alias': 'false',
    };
    return Promise.resolve({ headers });
  }
}
