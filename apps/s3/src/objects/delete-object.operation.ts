/** Public source: Amazon S3 API reference, DeleteObject. */
import { Injectable } from '@nestjs/common';
import { Access } from '../access/access.js';
import type { S3Answer } from '../http/s3-answer.js';
import { Handles } from '../operations/handles.js';
import type { ObjectCall, Operation } from '../operations/operation.js';
import { ObjectVersions } from './object-versions.js';
import { versionIdOf } from './version-id.js';
import { writeConditionsOf } from './write-conditions.js';

@Injectable()
@Handles('DeleteObject')
export class DeleteObject implements Operation<ObjectCall> {
  constructor(
    private readonly versions: ObjectVersions,
    private readonly access: Access,
  ) {}

  async run(call: ObjectCall): Promise<S3Answer> {
    const { ctx, bucket, key, request } = call;
    const removed = await this.versions.remove(ctx, bucket, key, versionIdOf(request.query), {
      conditions: writeConditionsOf(request.headers),
      bypassGovernance: this.access.bypassesGovernance(call.caller, call),
    });
    return {
      status: 204,
      headers: {
        'x-amz-delete-marker': removed.deleteMarker ? 'true' : undefined,
        'x-amz-version-id': removed.versionId,
      },
    };
  }
}
