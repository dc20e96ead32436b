/** Public source: Amazon S3 API reference, DeleteObjectTagging. */
import { Injectable } from '@nestjs/common';
import type { S3Answer } from '../../http/s3-answer.js';
import { Handles } from '../../operations/handles.js';
import type { ObjectCall, Operation } from '../../operations/operation.js';
import { requireObject } from '../found-object.js';
import { ObjectVersions } from '../object-versions.js';
import { versionHeader } from '../version-id.js';

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
