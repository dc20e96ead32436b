/** Where a bucket is. Public source: Amazon S3 API reference, GetBucketLocation. */
import { Injectable } from '@nestjs/common';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { Handles } from '../operations/handles.js';
import type { BucketCall, Operation } from '../operations/operation.js';
import { FIRST_REGION } from './bucket-region.js';

@Injectable()
@Handles('GetBucketLocation')
export class GetBucketLocation implements Operation<BucketCall> {
  run({ bucket: { region } }: BucketCall): Promise<S3Answer> {
    return Promise.resolve(xmlAnswer('LocationConstraint', region === FIRST_REGION ? '' : region));
  }
}
