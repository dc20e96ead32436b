/** Public source: Amazon S3 API reference, GetBucketAcl. */
import { Injectable } from '@nestjs/common';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { Handles } from '../operations/handles.js';
import type { BucketCall, Operation } from '../operations/operation.js';
import { ACL_ROOT, aclTree } from './acl-document.js';
import { effectiveAcl } from './ownership.js';

@Injectable()
@Handles('GetBucketAcl')
export class GetBucketAcl implements Operation<BucketCall> {
  run({ bucket }: BucketCall): Promise<S3Answer> {
    const acl = effectiveAcl(bucket, bucket.acl, bucket.projectId);
    return Promise.resolve(xmlAnswer(ACL_ROOT, aclTree(acl)));
  }
}
