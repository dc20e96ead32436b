/** Public source: Amazon S3 API reference, UploadPartCopy. */
import { Injectable } from '@nestjs/common';
import { ContentService } from '../content/content.service.js';
import {
  copySourceKeyOf,
  encryptionHeaders,
  partEncryptionOf,
} from '../content/encryption/encryption.js';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { headerOf } from '../http/s3-request.js';
import { CopySources, requireCopyable } from '../objects/copy-source.js';
import { versionHeader } from '../objects/version-id.js';
import { Handles } from '../operations/handles.js';
import type { ObjectCall, Operation } from '../operations/operation.js';
import { StorageQuotas } from '../usage/storage-quotas.js';
import { copiedRangeOf } from './copied-range.js';
import { partChecksumsOf } from './part-checksum.js';
import { partNumberOf } from './part-number.js';
import { PartWriter } from './part-writer.js';
import { noSuchUpload } from './upload-id.js';
import { uploadNameOf } from './upload-name.js';
import { UploadRepository } from './upload.repository.js';

@Injectable()
@Handles('UploadPartCopy')
export class UploadPartCopy implements Operation<ObjectCall> {
  constructor(
    private readonly uploads: UploadRepository,
    private readonly sources: CopySources,
    private readonly content: ContentService,
    private readonly writer: PartWriter,
    private readonly quotas: StorageQuotas,
  ) {}

  /**
   * @throws S3Error NoSuchUpload, NoSuchKey, NoSuchVersion, InvalidArgument, InvalidRange,
   * InvalidRequest, PreconditionFailed, AccessDenied
   */
  async run(call: ObjectCall): Promise<S3Answer> {
    const { ctx, request } = call;
    const { headers } = request;
    const number = partNumberOf(request.query.get('partNumber'));
    const name = uploadNameOf(call);
    const upload = await this.uploads.find(ctx, name);
    if (!upload) throw noSuchUpload(name.id);
    const encryption = partEncryptionOf(headers, upload.encryption);
    const { bucket, object } = await this.sources.find(call);
    const range = copiedRangeOf(headerOf(request, 'x-amz-copy-source-range'), Number(object.size));
    if (!range) requireCopyable(object);
    const length = range ? range.last - range.first + 1 : Number(object.size);
    await this.quotas.admitBytes(ctx, call.bucket.projectId, length);
    const bytes = await this.content.open(ctx, object, range, copySourceKeyOf(headers));
    const source = { length, open: () => bytes, trailers: () => ({}) };
    const received = await this.content.receive(ctx, source, {
      ...partChecksumsOf(upload, undefined),
      contentMd5: undefined,
      encryption,
    });
    const storedAt = await this.writer.write(ctx, upload, number, received);
    const { checksum } = received;
    const tree = {
      LastModified: storedAt,
      ETag: `"${received.etag}"`,
      ...(checksum && { [`Checksum${checksum.algorithm}`]: checksum.value }),
    };
    const { 'x-amz-version-id': version } = versionHeader(object.versionId, bucket.versioning);
    return xmlAnswer('CopyPartResult', tree, {
      headers: {
        'x-amz-copy-source-version-id': version,
        ...encryptionHeaders(received.encryption),
      },
    });
  }
}
