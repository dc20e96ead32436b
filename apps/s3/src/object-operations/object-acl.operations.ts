/**
 * The ACL and the tags of a version. Public source: Amazon S3 API reference, GetObjectAcl, PutObjectAcl,
 * GetObjectTagging, PutObjectTagging and DeleteObjectTagging.
 */
import { isDeepStrictEqual } from 'node:util';
import { Feature } from '@cumulet/common/service/feature';
import { ACL_ROOT, aclTree, receivedAcl } from '../access/acl-document.js';
import { AclRules, effectiveAcl } from '../access/acl-request.js';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { ObjectVersions } from '../objects/object-versions.js';
import { requireObject, versionHeader } from '../objects/version-id.js';
import { Handles, type ObjectCall, type Operation } from '../operations/operation.js';
import { Access } from '../access/access.js';
import { MAX_OBJECT_TAGS, tagsTree, xmlTagsOf } from '../buckets/tags.js';
import { xmlOf } from '../operations/read-document.js';
import { StoredObject } from '../objects/object.entity.js';
import { ObjectRepository } from '../objects/object.repository.js';
import { DeleteObject, DeleteObjects } from './delete-objects.operations.js';
import {
  GetObjectAttributes,
  GetObject,
  GetObjectTorrent,
  HeadObject,
  RestoreObject,
} from './reading/get-object.operations.js';
import { ObjectReader } from './reading/object-reader.js';
import { CopyObject } from './writing/copy-object.operation.js';
import { CopySources } from './writing/copy-source.js';
import { ObjectWriter, PutObject, PostObject } from './writing/put-object.operation.js';

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
    // Setting the same ACL is not an event.
    const event = isDeepStrictEqual(acl, object.acl)
      ? undefined
      : ({ bucket, event: 's3:ObjectAcl:Put' } as const);
    await this.versions.change(ctx, object, { acl }, event);
    return { headers: versionHeader(object.versionId, bucket.versioning) };
  }
}

@Handles('GetObjectTagging')
export class GetObjectTagging implements Operation<ObjectCall> {
  run(call: ObjectCall): Promise<S3Answer> {
    const { tags, versionId } = requireObject(call);
    const headers = versionHeader(versionId, call.bucket.versioning);
    return Promise.resolve(xmlAnswer('Tagging', tagsTree(tags), { headers }));
  }
}

@Handles('PutObjectTagging')
export class PutObjectTagging implements Operation<ObjectCall> {
  constructor(
    private readonly versions: ObjectVersions,
    private readonly access: Access,
  ) {}

  async run(call: ObjectCall): Promise<S3Answer> {
    const object = requireObject(call);
    const tags = xmlTagsOf(await xmlOf(call, 'Tagging'), MAX_OBJECT_TAGS);
    this.access.requireTags(call, tags);
    const event = { bucket: call.bucket, event: 's3:ObjectTagging:Put' } as const;
    await this.versions.change(call.ctx, object, { tags }, event);
    return { headers: versionHeader(object.versionId, call.bucket.versioning) };
  }
}

@Handles('DeleteObjectTagging')
export class DeleteObjectTagging implements Operation<ObjectCall> {
  constructor(private readonly versions: ObjectVersions) {}

  async run(call: ObjectCall): Promise<S3Answer> {
    const object = requireObject(call);
    const event = { bucket: call.bucket, event: 's3:ObjectTagging:Delete' } as const;
    await this.versions.change(call.ctx, object, { tags: {} }, event);
    return { status: 204, headers: versionHeader(object.versionId, call.bucket.versioning) };
  }
}

@Feature({
  entities: [StoredObject],
  providers: [
    CopyObject,
    CopySources,
    DeleteObject,
    DeleteObjects,
    DeleteObjectTagging,
    GetObject,
    GetObjectAcl,
    GetObjectAttributes,
    GetObjectTagging,
    GetObjectTorrent,
    HeadObject,
    ObjectReader,
    ObjectRepository,
    ObjectVersions,
    ObjectWriter,
    PostObject,
    PutObject,
    PutObjectAcl,
    PutObjectTagging,
    RestoreObject,
  ],
})
export class ObjectsModule {}
