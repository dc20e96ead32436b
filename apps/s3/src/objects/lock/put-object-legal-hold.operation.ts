/** Public source: Amazon S3 API reference, PutObjectLegalHold. */
import { Injectable } from '@nestjs/common';
import { xmlOf } from '../../http/read-document.js';
import type { S3Answer } from '../../http/s3-answer.js';
import { malformed } from '../../http/xml.js';
import { Handles } from '../../operations/handles.js';
import type { ObjectCall, Operation } from '../../operations/operation.js';
import { ObjectVersions } from '../object-versions.js';
import { requireLockable } from './lockable-object.js';

@Injectable()
@Handles('PutObjectLegalHold')
export class PutObjectLegalHold implements Operation<ObjectCall> {
  constructor(private readonly versions: ObjectVersions) {}

  /** @throws S3Error MalformedXML, and what `requireLockable` throws */
  async run(call: ObjectCall): Promise<S3Answer> {
    const object = requireLockable(call);
    const status = (await xmlOf(call, 'LegalHold')).need('Status').text.trim();
    if (status !== 'ON' && status !== 'OFF')
      throw malformed(`The status of a legal hold is ON or OFF, not ${status}.`);
    const hold = { legalHold: status === 'ON', legalHoldTold: true };
    await this.versions.change(call.ctx, object, hold);
    return {};
  }
}
