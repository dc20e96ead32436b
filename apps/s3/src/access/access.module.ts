/** The ACL of a bucket. Public source: Amazon S3 API reference, GetBucketAcl and PutBucketAcl. */
import { Feature } from '@cumulet/common/service/feature';
import { Access } from './access.js';
import { AclRules, effectiveAcl } from './acl-request.js';
import { Grantees, projects } from './grantees.js';
import {
  DeleteBucketPolicy,
  GetBucketPolicy,
  GetBucketPolicyStatus,
  PutBucketPolicy,
} from './policy/policy.operations.js';
import { BucketRepository } from '../buckets/bucket.repository.js';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import { Handles, type BucketCall, type Operation } from '../operations/operation.js';
import { ACL_ROOT, aclTree, receivedAcl } from './acl-document.js';

@Handles('GetBucketAcl')
export class GetBucketAcl implements Operation<BucketCall> {
  run({ bucket }: BucketCall): Promise<S3Answer> {
    const acl = effectiveAcl(bucket, bucket.acl, bucket.projectId);
    return Promise.resolve(xmlAnswer(ACL_ROOT, aclTree(acl)));
  }
}

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

@Feature({
  providers: [
    Access,
    AclRules,
    DeleteBucketPolicy,
    GetBucketAcl,
    GetBucketPolicy,
    GetBucketPolicyStatus,
    Grantees,
    PutBucketAcl,
    PutBucketPolicy,
    projects,
  ],
})
export class AccessModule {}
