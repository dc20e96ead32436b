/** Whose bucket a name in a request is. Pure. */
import { isStorable } from '@cumulet/common/database/storable';
import type { Caller } from '../auth/caller.js';
import type { S3Config } from '../config.js';
import type { NamedBucket } from '../http/s3-address.js';
import { S3Error } from '../http/s3-error.js';
import type { BucketName } from './target.repository.js';

/** @throws S3Error AccessDenied if nobody says whose bucket it is; NoSuchBucket for what is no name */
export function bucketNameOf(
  { name, projectId }: NamedBucket,
  caller: Caller,
  { namespace }: Pick<S3Config, 'namespace'>,
): BucketName {
  if (!isStorable(name) || !isStorable(projectId ?? '')) throw noSuchBucket(name);
  if (projectId !== undefined) return { name, projectId };
  if (namespace === 'global') return { name, projectId: undefined };
  if (caller.kind === 'signed') return { name, projectId: caller.projectId };
  throw new S3Error('AccessDenied', {
    message:
      'A request without a signature names the project of its bucket: {project_id}:{bucket} in the path, or {bucket}.{project_id} before the host.',
  });
}

export function noSuchBucket(name: string): S3Error {
  return new S3Error('NoSuchBucket', { details: { BucketName: name } });
}
