/** Public source: Amazon S3 API reference, GetObjectLegalHold. */
import { Injectable } from '@nestjs/common';
import { xmlAnswer, type S3Answer } from '../../http/s3-answer.js';
import { Handles } from '../../operations/handles.js';
import type { ObjectCall, Operation } from '../../operations/operation.js';
import { requireLockable } from './lockable-object.js';

@Injectable()
@Handles('GetObjectLegalHold')
export class GetObjectLegalHold implements Operation<ObjectCall> {
  /** @throws S3Error what `requireLockable` throws */
  run(call: ObjectCall): Promise<S3Answer> {
    const { legalHold } = requireLockable(call);
    return Promise.resolve(xmlAnswer('LegalHold', { Status: legalHold ? 'ON' : 'OFF' }));
  }
}
