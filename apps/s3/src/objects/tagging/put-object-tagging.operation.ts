/** Public source: Amazon S3 API reference, PutObjectTagging. */
import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { xmlOf } from '../../http/read-document.js';
import type { S3Answer } from '../../http/s3-answer.js';
import { Handles } from '../../operations/handles.js';
import type { ObjectCall, Operation } from '../../operations/operation.js';
import { requireObject } from '../found-object.js';
import { ObjectVersions } from '../object-versions.js';
import { MAX_OBJECT_TAGS, xmlTagsOf } from '../tags.js';
import { versionHeader } from '../version-id.js';

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
