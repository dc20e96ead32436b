/**
 * Begins uploads, and gives them up. Public source: Amazon S3 API reference, CreateMultipartUpload and
 * AbortMultipartUpload.
 */
import { violatesCheck, violatesForeignKey } from '@cumulet/common/database/violations';
import { Feature } from '@cumulet/common/service/feature';
import { ownerOfNew } from '../access/acl-request.js';
import { abortHeaders } from '../buckets/lifecycle-rules.js';
import { checksumChoiceOf } from '../content/checksums/checksum.js';
import {
  encryptionHeaders,
  encryptionOfParts,
  encryptionRequestOf,
} from '../content/encryption/encryption.js';
import { NO_CONTENT, xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import { propertiesOf } from '../object-operations/writing/object-properties.js';
import { Handles, type ObjectCall, type Operation } from '../operations/operation.js';
import { newUploadId, noSuchUpload, uploadNameOf, Upload } from './upload.entity.js';
import { UploadRepository } from './upload.repository.js';
import {
  CompleteMultipartUpload,
  UploadCompletion,
} from './complete-multipart-upload.operation.js';
import { ListMultipartUploads, ListParts } from './list-uploads.operations.js';
import { PartWriter, UploadPart, UploadPartCopy } from './upload-part.operations.js';

/** Per bucket; a trigger enforces it. */
const MAX_UPLOADS = 10_000;

@Handles('CreateMultipartUpload')
export class CreateMultipartUpload implements Operation<ObjectCall> {
  constructor(private readonly uploads: UploadRepository) {}

  /** @throws S3Error as PutObject for its headers; NoSuchBucket; QuotaExceeded */
  async run(call: ObjectCall): Promise<S3Answer> {
    const upload = uploadOf(call, new Date());
    try {
      await this.uploads.create(call.ctx, upload);
    } catch (error) {
      if (violatesCheck(error, 'uploads_bucket_limit'))
        throw new S3Error('QuotaExceeded', {
          message: `The bucket has ${MAX_UPLOADS} uploads under way already: complete or abort some.`,
          details: { BucketName: call.bucket.name },
        });
      if (!violatesForeignKey(error, 'uploads_bucket_id_fkey')) throw error;
      throw new S3Error('NoSuchBucket', { details: { BucketName: call.bucket.name } });
    }
    const tree = { Bucket: call.bucket.name, Key: call.key, UploadId: upload.id };
    return xmlAnswer('InitiateMultipartUploadResult', tree, {
      headers: {
        ...abortHeaders(call.bucket, upload),
        ...encryptionHeaders(upload.encryption),
        'x-amz-checksum-algorithm': upload.checksumAlgorithm ?? undefined,
        'x-amz-checksum-type': upload.checksumType ?? undefined,
      },
    });
  }
}

function uploadOf(call: ObjectCall, now: Date): Upload {
  const { bucket, key, caller } = call;
  const { headers } = call.request;
  const checksum = checksumChoiceOf(headers);
  return {
    ...propertiesOf(call),
    id: newUploadId(now.getTime()),
    bucketId: bucket.id,
    key: Buffer.from(key),
    ownerId: ownerOfNew(bucket, caller, headers),
    initiatorId: caller.kind === 'signed' ? caller.projectId : null,
    initiatedAt: now,
    checksumAlgorithm: checksum?.algorithm ?? null,
    checksumType: checksum?.type ?? null,
    encryption: encryptionOfParts(encryptionRequestOf(headers, bucket)),
  };
}

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

@Feature({
  entities: [Upload],
  providers: [
    AbortMultipartUpload,
    CompleteMultipartUpload,
    CreateMultipartUpload,
    ListMultipartUploads,
    ListParts,
    PartWriter,
    UploadCompletion,
    UploadPart,
    UploadPartCopy,
    UploadRepository,
  ],
})
export class MultipartModule {}
