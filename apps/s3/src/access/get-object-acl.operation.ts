/** Public source: Amazon S3 API reference, GetObjectAcl. */
import { Injectable } from '@nestjs/common';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { requireObject } from '../objects/found-object.js';
import { versionHeader } from '../objects/version-id.js';
import { Handles } from '../operations/handles.js';
import type { ObjectCall, Operation } from '../operations/operation.js';
import { ACL_ROOT, aclTree } from './acl-document.js';
import { effectiveAcl } from './ownership.js';

@Injectable()
@Handles('GetObjectAcl')
export class GetObjectAcl implements Operation<ObjectCall> {
  /** @throws S3Error NoSuchKey, NoSuchVersion, MethodNotAllowed */
  run(call: ObjectCall): Promise<S3Answer> {
    const { bucket } = call;
    const { acl, ownerId, versionId } = requireObject(call);
    const headers = versionHeader(versionId, bucket.versioning);
    const tree = aclTree(effectiveAcl(bucket, acl, ownerId));
    return Promise.resolve(xmlAnswer(ACL_ROOT, tree, { headers }));
  }
}
