/**
 * Makes an object of an upload. Public source: Amazon S3 API reference, CompleteMultipartUpload.
 *
 * Always holds: of several who complete an upload, one does, and all of them get the same answer, as
 * long as its object is there.
 */
import { Injectable } from '@nestjs/common';
import { checksumElements } from '../content/checksums/checksum.js';
import { encryptionHeaders } from '../content/encryption/encryption.js';
import { documentOf } from '../http/read-document.js';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import type { S3Request } from '../http/s3-request.js';
import { newVersionHeader } from '../objects/version-id.js';
import { writeConditionsOf } from '../objects/write-conditions.js';
import { Handles } from '../operations/handles.js';
import type { ObjectCall, Operation } from '../operations/operation.js';
import { listedPartsOf } from './complete-request.js';
import { expectationOf } from './expected-object.js';
import { uploadNameOf } from './upload-name.js';
import { UploadCompletion } from './upload-completion.js';

/** Bytes: of 10,000 parts with all that may be said of them. */
const MAX_DOCUMENT = 8 * 1024 * 1024;

@Injectable()
@Handles('CompleteMultipartUpload')
export class CompleteMultipartUpload implements Operation<ObjectCall> {
  constructor(private readonly completion: UploadCompletion) {}

  /**
   * @throws S3Error NoSuchUpload, MalformedXML, InvalidPart, InvalidPartOrder, EntityTooSmall,
   * BadDigest, InvalidRequest, PreconditionFailed
   */
  async run(call: ObjectCall): Promise<S3Answer> {
    const { bucket, key, request } = call;
    const name = uploadNameOf(call);
    const asked = {
      // Checksums in the headers are the object's.
      listed: listedPartsOf((await documentOf(call, MAX_DOCUMENT, {})).toString()),
      expected: expectationOf(request.headers),
      conditions: writeConditionsOf(request.headers),
    };
    const { etag, checksum, encryption, versionId } = await this.completion.complete(
      call.ctx,
      bucket,
      name,
      asked,
    );
    const tree = {
      Location: locationOf(request),
      Bucket: bucket.name,
      Key: key,
      ETag: `"${etag}"`,
      ...checksumElements(checksum),
    };
    return xmlAnswer('CompleteMultipartUploadResult', tree, {
      headers: { ...newVersionHeader(versionId), ...encryptionHeaders(encryption) },
    });
  }
}

function locationOf({ isEncrypted, host, rawPath }: S3Request): string {
  return `${isEncrypted ? 'https' : 'http'}://${host}${rawPath}`;
}
