/** Public source: Amazon S3 API reference, GetObject. */
import { Injectable } from '@nestjs/common';
import { Access } from '../access/access.js';
import { ContentService } from '../content/content.service.js';
import type { S3Answer } from '../http/s3-answer.js';
import { Handles } from '../operations/handles.js';
import type { ObjectCall, Operation } from '../operations/operation.js';
import { requireObject } from './found-object.js';
import { ObjectReader } from './object-reader.js';
import { ObjectRepository } from './object.repository.js';
import { unlessVanished } from './vanished.js';

@Injectable()
@Handles('GetObject')
export class GetObject implements Operation<ObjectCall> {
  constructor(
    private readonly reader: ObjectReader,
    private readonly content: ContentService,
    private readonly objects: ObjectRepository,
    private readonly access: Access,
  ) {}

  run(call: ObjectCall): Promise<S3Answer> {
    requireObject(call);
    return unlessVanished(async (attempt) =>
      this.#read(attempt === 1 ? call : await this.#again(call)),
    );
  }

  async #read(call: ObjectCall): Promise<S3Answer> {
    const { object, slice, headers, key } = await this.reader.answer(call);
    const isEmpty = slice.headers['content-length'] === '0';
    const body = isEmpty ? '' : await this.content.open(call.ctx, object, slice.range, key);
    return { status: slice.status, headers, body };
  }

  /** What is there by now may be for others to read. */
  async #again(call: ObjectCall): Promise<ObjectCall> {
    const { ctx, bucket, key, request } = call;
    const versionId = request.query.get('versionId');
    const object = await this.objects.find(ctx, { bucketId: bucket.id, key, versionId });
    await this.access.require({ ...call, object });
    return { ...call, object };
  }
}
