/**
 * Stores the file of a form: as PutObject does, with another answer. Public source: Amazon S3 API
 * reference, "POST Object".
 */
import { Injectable } from '@nestjs/common';
import type { S3Answer } from '../../http/s3-answer.js';
import { Handles } from '../../operations/handles.js';
import type { ObjectCall, Operation } from '../../operations/operation.js';
import { PutObject } from '../put-object.operation.js';
import type { FormFile } from '../../auth/post/form-reader.js';
import { postAnswer } from './post-answer.js';

@Injectable()
@Handles('PostObject')
export class PostObject implements Operation<ObjectCall> {
  constructor(private readonly put: PutObject) {}

  /** @throws S3Error as PutObject does; EntityTooSmall and EntityTooLarge for what the policy says */
  async run(call: ObjectCall): Promise<S3Answer> {
    const { headers = {} } = await this.put.run(call);
    return postAnswer(call, (call.body as FormFile).fields, headers);
  }
}
