/**
 * The ids of uploads: UUIDs of version 7, which sort by when they were made. So a list of uploads
 * goes on behind one that has gone meanwhile. Public source: RFC 9562, 5.7.
 */
import { randomBytes } from 'node:crypto';
import { asId, isUuid } from '@cumulet/common/context/ids';
import type { BucketId } from '../buckets/bucket.entity.js';
import { S3Error } from '../http/s3-error.js';
import type { ContentId } from '../content/received.js';
import type { ObjectCall } from '../operations/operation.js';

/** @param now milliseconds since 1970 */
export function newUploadId(now: number): ContentId {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return asId(hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
}

/** @throws S3Error NoSuchUpload for what can be no upload's id */
function uploadIdOf(text = ''): ContentId {
  if (isUuid(text)) return asId(text);
  throw noSuchUpload(text);
}

export function noSuchUpload(id: string): S3Error {
  return new S3Error('NoSuchUpload', { details: { UploadId: id } });
}

/** Which upload a request is about. */
export interface UploadName {
  readonly bucketId: BucketId;
  readonly key: string;
  readonly id: ContentId;
}

/** @throws S3Error NoSuchUpload */
export function uploadNameOf({ bucket, key, request }: ObjectCall): UploadName {
  return { bucketId: bucket.id, key, id: uploadIdOf(request.query.get('uploadId')) };
}
