/** The ACL of a version. Public source: Amazon S3 API reference, GetObjectAcl and PutObjectAcl. */
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { ACL_ROOT, aclTree, receivedAcl } from '../access/acl-document.js';
import { AclRules } from '../access/acl-rules.js';
import { effectiveAcl } from '../access/ownership.js';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { ObjectVersions } from '../objects/object-versions.js';
import { requireObject, versionHeader } from '../objects/version-id.js';
import { Handles, type ObjectCall, type Operation } from '../operations/operation.js';

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

@Injectable()
@Handles('PutObjectAcl')
export class PutObjectAcl implements Operation<ObjectCall> {
  constructor(
    private readonly versions: ObjectVersions,
    private readonly rules: AclRules,
  ) {}

  /**
   * @throws S3Error NoSuchKey, NoSuchVersion, MethodNotAllowed, AccessDenied, InvalidArgument,
   * and what `receivedAcl` throws
   */
  async run(call: ObjectCall): Promise<S3Answer> {
    const { ctx, bucket, caller } = call;
    const object = requireObject(call);
    const acl = await receivedAcl(call, object.ownerId);
    await this.rules.require(bucket, acl, caller);
    // Nobody is told of an ACL that the object has already.
    const told = isDeepStrictEqual(acl, object.acl)
      ? undefined
      : ({ bucket, event: 's3:ObjectAcl:Put' } as const);
    await this.versions.change(ctx, object, { acl }, told);
    return { headers: versionHeader(object.versionId, bucket.versioning) };
  }
}
