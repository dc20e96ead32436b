/** Public source: Amazon S3 API reference, GetObject. */
import { Injectable } from '@nestjs/common';
import { ContentService } from '../content/content.service.js';
import type { S3Answer } from '../http/s3-answer.js';
import { Handles } from '../operations/handles.js';
import type { ObjectCall, Operation } from '../operations/operation.js';
import { ObjectReader } from './object-reader.js';

@Injectable()
@Handles('GetObject')
export class GetObject implements Operation<ObjectCall> {
  constructor(
    private readonly reader: ObjectReader,
    private readonly content: ContentService,
  ) {}

  async run(call: ObjectCall): Promise<S3Answer> {
    const { object, slice, headers, key } = await this.reader.answer(call);
    const isEmpty = slice.headers['content-length'] === '0';
    const body = isEmpty ? '' : await this.content.open(call.ctx, object, slice.range, key);
    return { status: slice.status, headers, body };
  }
}
