/** Public source: Amazon S3 API reference, UploadPart. */
import { Injectable } from '@nestjs/common';
import { checksumHeaders, checksumRequestOf } from '../content/checksums/checksum.js';
import { ContentService } from '../content/content.service.js';
import { encryptionHeaders, partEncryptionOf } from '../content/encryption/encryption.js';
import type { S3Answer } from '../http/s3-answer.js';
import { headerOf } from '../http/s3-request.js';
import { Handles } from '../operations/handles.js';
import type { ObjectCall, Operation } from '../operations/operation.js';
import { StorageQuotas } from '../usage/storage-quotas.js';
import { partChecksumsOf } from './part-checksum.js';
import { partNumberOf } from './part-number.js';
import { PartWriter } from './part-writer.js';
import { noSuchUpload } from './upload-id.js';
import { uploadNameOf } from './upload-name.js';
import { UploadRepository } from './upload.repository.js';

@Injectable()
@Handles('UploadPart')
export class UploadPart implements Operation<ObjectCall> {
  constructor(
    private readonly uploads: UploadRepository,
    private readonly content: ContentService,
    private readonly writer: PartWriter,
    private readonly quotas: StorageQuotas,
  ) {}

  /** @throws S3Error NoSuchUpload, InvalidArgument, InvalidRequest, BadDigest, EntityTooLarge */
  async run(call: ObjectCall): Promise<S3Answer> {
    const { ctx, request } = call;
    const { headers, query } = request;
    const number = partNumberOf(query.get('partNumber'));
    const name = uploadNameOf(call);
    const upload = await this.uploads.find(ctx, name);
    if (!upload) throw noSuchUpload(name.id);
    await this.quotas.admitBytes(ctx, call.bucket.projectId, call.body.length ?? 0);
    const received = await this.content.receive(ctx, call.body, {
      ...partChecksumsOf(upload, checksumRequestOf(headers)),
      contentMd5: headerOf(request, 'content-md5'),
      encryption: partEncryptionOf(headers, upload.encryption),
    });
    await this.writer.write(ctx, upload, number, received);
    return {
      headers: {
        etag: `"${received.etag}"`,
        ...checksumHeaders(received.checksum),
        ...encryptionHeaders(received.encryption),
      },
    };
  }
}
