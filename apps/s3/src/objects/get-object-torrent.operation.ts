/** No object has a torrent: nobody serves them. Public source: Amazon S3 API reference, GetObjectTorrent. */
import { Injectable } from '@nestjs/common';
import type { S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import { Handles } from '../operations/handles.js';
import type { ObjectCall, Operation } from '../operations/operation.js';
import { requireObject } from './found-object.js';

@Injectable()
@Handles('GetObjectTorrent')
export class GetObjectTorrent implements Operation<ObjectCall> {
  run(call: ObjectCall): Promise<S3Answer> {
    requireObject(call);
    throw new S3Error('NoSuchKey', {
      message: 'The object has no torrent.',
      details: { Key: call.key },
    });
  }
}
