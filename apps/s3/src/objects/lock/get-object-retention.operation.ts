/** Public source: Amazon S3 API reference, GetObjectRetention. */
import { Injectable } from '@nestjs/common';
import { xmlAnswer, type S3Answer } from '../../http/s3-answer.js';
import { S3Error } from '../../http/s3-error.js';
import { Handles } from '../../operations/handles.js';
import type { ObjectCall, Operation } from '../../operations/operation.js';
import { requireLockable } from './lockable-object.js';
import { retentionTree } from './retention.js';

@Injectable()
@Handles('GetObjectRetention')
export class GetObjectRetention implements Operation<ObjectCall> {
  /** @throws S3Error NoSuchObjectLockConfiguration, and what `requireLockable` throws */
  run(call: ObjectCall): Promise<S3Answer> {
    const object = requireLockable(call);
    if (object.retentionMode === null) throw new S3Error('NoSuchObjectLockConfiguration');
    return Promise.resolve(xmlAnswer('Retention', retentionTree(object)));
  }
}
