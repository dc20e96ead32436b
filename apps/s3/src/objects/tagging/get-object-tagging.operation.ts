/** Public source: Amazon S3 API reference, GetObjectTagging. */
import { Injectable } from '@nestjs/common';
import { xmlAnswer, type S3Answer } from '../../http/s3-answer.js';
import { Handles } from '../../operations/handles.js';
import type { ObjectCall, Operation } from '../../operations/operation.js';
import { requireObject } from '../found-object.js';
import { tagsTree } from '../tags.js';
import { versionHeader } from '../version-id.js';

@Injectable()
@Handles('GetObjectTagging')
export class GetObjectTagging implements Operation<ObjectCall> {
  run(call: ObjectCall): Promise<S3Answer> {
    const { tags, versionId } = requireObject(call);
    const headers = versionHeader(versionId, call.bucket.versioning);
    return Promise.resolve(xmlAnswer('Tagging', tagsTree(tags), { headers }));
  }
}
