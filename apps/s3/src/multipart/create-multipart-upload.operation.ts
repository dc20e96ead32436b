/** Begins an upload. Public source: Amazon S3 API reference, CreateMultipartUpload. */
import { Injectable } from '@nestjs/common';
import { violatesCheck, violatesForeignKey } from '@cumulet/common/database/violations';
import { ownerOfNew } from '../access/ownership.js';
import { checksumChoiceOf } from '../content/checksums/checksum.js';
import {
  encryptionHeaders,
  encryptionOfParts,
  encryptionRequestOf,
} from '../content/encryption/encryption.js';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import { abortHeaders } from '../lifecycle/abort-headers.js';
import { propertiesOf } from '../objects/object-properties.js';
import { Handles } from '../operations/handles.js';
import type { ObjectCall, Operation } from '../operations/operation.js';
import type { Upload } from './upload.entity.js';
import { newUploadId } from './upload-id.js';
import { UploadRepository } from './upload.repository.js';

/** Of a bucket, which a trigger holds. */
const MAX_UPLOADS = 10_000;

@Injectable()
@Handles('CreateMultipartUpload')
export class CreateMultipartUpload implements Operation<ObjectCall> {
  constructor(private readonly uploads: UploadRepository) {}

  /** @throws S3Error for what its object could not be stored with; NoSuchBucket; QuotaExceeded */
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
