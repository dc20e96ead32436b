/** Public source: Amazon S3 API reference, GetBucketPolicy. */
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { S3Answer } from '../../http/s3-answer.js';
import { S3Error } from '../../http/s3-error.js';
import { Handles } from '../../operations/handles.js';
import type { BucketCall, Operation } from '../../operations/operation.js';

@Injectable()
@Handles('GetBucketPolicy')
export class GetBucketPolicy implements Operation<BucketCall> {
  /** @throws S3Error NoSuchBucketPolicy */
  run({ bucket }: BucketCall): Promise<S3Answer> {
    const { policy } = bucket.configurations;
    if (policy === undefined)
      throw new S3Error('NoSuchBucketPolicy', { details: { BucketName: bucket.name } });
    // As it was given: the service writes none of it.
    const body = Buffer.from(policy);
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
    return Promise.resolve({ headers, body: Readable.from([body]) });
  }
}
