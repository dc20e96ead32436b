/** Which upload a request is about. */
import type { BucketId } from '../buckets/bucket.entity.js';
import type { ContentId } from '../objects/object.entity.js';
import type { ObjectCall } from '../operations/operation.js';
import { uploadIdOf } from './upload-id.js';

export interface UploadName {
  readonly bucketId: BucketId;
  readonly key: string;
  readonly id: ContentId;
}

/** @throws S3Error NoSuchUpload */
export function uploadNameOf({ bucket, key, request }: ObjectCall): UploadName {
  return { bucketId: bucket.id, key, id: uploadIdOf(request.query.get('uploadId')) };
}
