/** Amazon S3 API reference, "GetObjectLockConfiguration". */
import { Injectable } from '@nestjs/common';
import { xmlAnswer, type S3Answer } from '../../http/s3-answer.js';
import { S3Error } from '../../http/s3-error.js';
import { Handles } from '../../operations/handles.js';
import type { BucketCall, Operation } from '../../operations/operation.js';
import { showObjectLock } from './object-lock-rule.js';

@Injectable()
@Handles('GetObjectLockConfiguration')
export class GetObjectLockConfiguration implements Operation<BucketCall> {
  run({ bucket }: BucketCall): Promise<S3Answer> {
    const { name, objectLock, configurations } = bucket;
    if (!objectLock) {
      const details = { BucketName: name };
      throw new S3Error('ObjectLockConfigurationNotFoundError', { details });
    }
    const tree = showObjectLock(configurations.objectLock);
    return Promise.resolve(xmlAnswer('ObjectLockConfiguration', tree));
  }
}
