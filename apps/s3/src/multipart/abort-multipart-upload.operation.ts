/** Gives up an upload. Public source: Amazon S3 API reference, AbortMultipartUpload. */
import { Injectable } from '@nestjs/common';
import { NO_CONTENT, type S3Answer } from '../http/s3-answer.js';
import { Handles } from '../operations/handles.js';
import type { ObjectCall, Operation } from '../operations/operation.js';
import { noSuchUpload } from './upload-id.js';
import { uploadNameOf } from './upload-name.js';
import { UploadRepository } from './upload.repository.js';

@Injectable()
@Handles('AbortMultipartUpload')
export class AbortMultipartUpload implements Operation<ObjectCall> {
  constructor(private readonly uploads: UploadRepository) {}

  /** @throws S3Error NoSuchUpload */
  async run(call: ObjectCall): Promise<S3Answer> {
    const name = uploadNameOf(call);
    if (!(await this.uploads.delete(call.ctx, name))) throw noSuchUpload(name.id);
    return NO_CONTENT;
  }
}
