/**
 * All classes are read at once: an archived object counts as restored already, and of others there
 * is nothing to restore. Public source: Amazon S3 API reference, RestoreObject.
 */
import { Injectable } from '@nestjs/common';
import type { S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import { xmlOf } from '../http/read-document.js';
import { malformed } from '../http/xml.js';
import { Handles } from '../operations/handles.js';
import type { ObjectCall, Operation } from '../operations/operation.js';
import { requireObject } from './found-object.js';
import { isArchive } from './storage-classes.js';
import { versionHeader } from './version-id.js';

@Injectable()
@Handles('RestoreObject')
export class RestoreObject implements Operation<ObjectCall> {
  async run(call: ObjectCall): Promise<S3Answer> {
    const { storageClass, versionId } = requireObject(call);
    const days = (await xmlOf(call, 'RestoreRequest')).child('Days')?.text.trim();
    if (days !== undefined && !/^[1-9]\d{0,8}$/.test(days))
      throw malformed(`Days is ${days}, which is no number of days.`);
    if (!isArchive(storageClass))
      throw new S3Error('InvalidObjectState', {
        message: "Restore is not allowed for the object's current storage class",
        details: { StorageClass: storageClass },
      });
    return { status: 200, headers: versionHeader(versionId, call.bucket.versioning) };
  }
}
