/** The object that a request about its lock is for. */
import { S3Error } from '../../http/s3-error.js';
import type { ObjectCall } from '../../operations/operation.js';
import { requireObject, type FoundObject } from '../found-object.js';

/**
 * @throws S3Error InvalidRequest if the bucket's objects cannot be locked; NoSuchKey, NoSuchVersion,
 * MethodNotAllowed
 */
export function requireLockable(call: ObjectCall): FoundObject {
  if (call.bucket.objectLock) return requireObject(call);
  throw new S3Error('InvalidRequest', { message: 'Bucket is missing Object Lock Configuration' });
}
