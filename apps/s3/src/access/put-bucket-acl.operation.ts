/** Public source: Amazon S3 API reference, PutBucketAcl. */
import { Injectable } from '@nestjs/common';
import { BucketRepository } from '../buckets/bucket.repository.js';
import type { S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import { Handles } from '../operations/handles.js';
import type { BucketCall, Operation } from '../operations/operation.js';
import { receivedAcl } from './acl-received.js';
import { AclRules } from './acl-rules.js';

@Injectable()
@Handles('PutBucketAcl')
export class PutBucketAcl implements Operation<BucketCall> {
  constructor(
    private readonly buckets: BucketRepository,
    private readonly rules: AclRules,
  ) {}

  /** @throws S3Error NoSuchBucket, AccessDenied, InvalidArgument, and what `receivedAcl` throws */
  async run(call: BucketCall): Promise<S3Answer> {
    const { ctx, bucket, caller } = call;
    const acl = await receivedAcl(call, bucket.projectId);
    await this.rules.require(bucket, acl, caller);
    if (await this.buckets.setAcl(ctx, bucket, acl)) return {};
    throw new S3Error('NoSuchBucket', { details: { BucketName: bucket.name } });
  }
}
