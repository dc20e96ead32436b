/** Public source: Amazon S3 API reference, PutObjectAcl. */
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { S3Answer } from '../http/s3-answer.js';
import { requireObject } from '../objects/found-object.js';
import { ObjectVersions } from '../objects/object-versions.js';
import { versionHeader } from '../objects/version-id.js';
import { Handles } from '../operations/handles.js';
import type { ObjectCall, Operation } from '../operations/operation.js';
import { receivedAcl } from './acl-received.js';
import { AclRules } from './acl-rules.js';

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
