/** What a bucket is created with, from the request that asks for it. */
import { headerOf } from '../http/s3-request.js';
import type { S3Config } from '../config.js';
import { S3Error } from '../http/s3-error.js';
import type { S3Call } from '../operations/operation.js';
import type { NewBucket } from './bucket.repository.js';

/** @throws S3Error InvalidArgument */
export function newBucketOf(
  { request }: S3Call,
  named: Pick<NewBucket, 'name' | 'projectId'>,
  { region }: S3Config,
): NewBucket {
  return {
    ...named,
    region,
    objectLock: flagOf(
      'x-amz-bucket-object-lock-enabled',
      headerOf(request, 'x-amz-bucket-object-lock-enabled'),
    ),
  };
}

function flagOf(name: string, value = 'false'): boolean {
  const flag = value.toLowerCase();
  if (flag === 'true' || flag === 'false') return flag === 'true';
  throw new S3Error('InvalidArgument', {
    message: `The header ${name} must be true or false.`,
    details: { ArgumentName: name, ArgumentValue: value },
  });
}
