/** Objects as they are read. Public source: Amazon S3 API reference, GetObject and HeadObject. */
import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { ContentReader } from '../../content/content-reader.js';
import type { S3Answer } from '../../http/s3-answer.js';
import { S3Error } from '../../http/s3-error.js';
import { malformed } from '../../http/xml.js';
import { ObjectRepository } from '../../objects/object.repository.js';
import { requireObject, versionHeader } from '../../objects/version-id.js';
import { Handles, type ObjectCall, type Operation } from '../../operations/operation.js';
import { xmlOf } from '../../operations/read-document.js';
import { isArchive } from '../writing/object-properties.js';
import { ObjectReader, unlessVanished } from './object-reader.js';

@Injectable()
@Handles('GetObject')
export class GetObject implements Operation<ObjectCall> {
  constructor(
    private readonly reader: ObjectReader,
    private readonly content: ContentReader,
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

@Injectable()
@Handles('HeadObject')
export class HeadObject implements Operation<ObjectCall> {
  constructor(private readonly reader: ObjectReader) {}

  async run(call: ObjectCall): Promise<S3Answer> {
    const { slice, headers } = await this.reader.answer(call);
    return { status: slice.status, headers };
  }
}

/**
 * No object has a torrent: nobody serves them. Public source: Amazon S3 API reference, GetObjectTorrent.
 */
@Injectable()
@Handles('GetObjectTorrent')
export class GetObjectTorrent implements Operation<ObjectCall> {
  run(call: ObjectCall): Promise<S3Answer> {
    requireObject(call);
    throw new S3Error('NoSuchKey', {
      message: 'The object has no torrent.',
      details: { Key: call.key },
    });
  }
}

/**
 * All classes are read at once: an archived object counts as restored already, and of others there
 * is nothing to restore. Public source: Amazon S3 API reference, RestoreObject.
 */
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
