/**
 * Tags of a version. Public source: Amazon S3 API reference, GetObjectTagging, PutObjectTagging and
 * DeleteObjectTagging.
 */
import { Injectable } from '@nestjs/common';
import { Access } from '../access/access.js';
import { MAX_OBJECT_TAGS, tagsTree, xmlTagsOf } from '../buckets/tags.js';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { ObjectVersions } from '../objects/object-versions.js';
import { requireObject, versionHeader } from '../objects/version-id.js';
import { Handles, type ObjectCall, type Operation } from '../operations/operation.js';
import { xmlOf } from '../operations/read-document.js';

@Injectable()
@Handles('GetObjectTagging')
export class GetObjectTagging implements Operation<ObjectCall> {
  run(call: ObjectCall): Promise<S3Answer> {
    const { tags, versionId } = requireObject(call);
    const headers = versionHeader(versionId, call.bucket.versioning);
    return Promise.resolve(xmlAnswer('Tagging', tagsTree(tags), { headers }));
  }
}

@Injectable()
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
    const told = { bucket: call.bucket, event: 's3:ObjectTagging:Put' } as const;
    await this.versions.change(call.ctx, object, { tags }, told);
    return { headers: versionHeader(object.versionId, call.bucket.versioning) };
  }
}

@Injectable()
@Handles('DeleteObjectTagging')
export class DeleteObjectTagging implements Operation<ObjectCall> {
  constructor(private readonly versions: ObjectVersions) {}

  async run(call: ObjectCall): Promise<S3Answer> {
    const object = requireObject(call);
    const told = { bucket: call.bucket, event: 's3:ObjectTagging:Delete' } as const;
    await this.versions.change(call.ctx, object, { tags: {} }, told);
    return { status: 204, headers: versionHeader(object.versionId, call.bucket.versioning) };
  }
}
