/**
 * Whether the public may do anything in a bucket, by its policy or by its ACL. Public source: Amazon
 * S3 API reference, GetBucketPolicyStatus.
 */
import { Injectable } from '@nestjs/common';
import { xmlAnswer, type S3Answer } from '../../http/s3-answer.js';
import { Handles } from '../../operations/handles.js';
import type { BucketCall, Operation } from '../../operations/operation.js';
import { isPublicAcl } from '../acl.js';
import { isOwnerEnforced } from '../ownership.js';
import { publicAccessOf } from '../public-access.js';
import { policyOf } from './policies.js';
import { isPublicPolicy } from './public-policy.js';

@Injectable()
@Handles('GetBucketPolicyStatus')
export class GetBucketPolicyStatus implements Operation<BucketCall> {
  run({ bucket }: BucketCall): Promise<S3Answer> {
    const policy = policyOf(bucket);
    const { ignorePublicAcls, restrictPublicBuckets } = publicAccessOf(bucket);
    const byAcl = isPublicAcl(bucket.acl) && !ignorePublicAcls && !isOwnerEnforced(bucket);
    const byPolicy = policy !== undefined && isPublicPolicy(policy) && !restrictPublicBuckets;
    return Promise.resolve(xmlAnswer('PolicyStatus', { IsPublic: byAcl || byPolicy }));
  }
}
