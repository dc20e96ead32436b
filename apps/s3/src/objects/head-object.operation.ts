/** Public source: Amazon S3 API reference, HeadObject. */
import { Injectable } from '@nestjs/common';
import type { S3Answer } from '../http/s3-answer.js';
import { Handles } from '../operations/handles.js';
import type { ObjectCall, Operation } from '../operations/operation.js';
import { ObjectReader } from './object-reader.js';

@Injectable()
@Handles('HeadObject')
export class HeadObject implements Operation<ObjectCall> {
  constructor(private readonly reader: ObjectReader) {}

  async run(call: ObjectCall): Promise<S3Answer> {
    const { slice, headers } = await this.reader.answer(call);
    return { status: slice.status, headers };
  }
}
