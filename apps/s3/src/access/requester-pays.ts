/**
 * Buckets whose requesters pay: others than their owner say that they know. Nothing is billed here;
 * who does not say so is refused. Public source: Amazon S3 user guide, "Using Requester Pays buckets
 * for storage transfers and usage".
 */
import type { Caller } from '../auth/caller.js';
import type { Bucket } from '../buckets/bucket.entity.js';
import { S3Error } from '../http/s3-error.js';
import type { S3Request } from '../http/s3-request.js';
import { isOfOwner } from './decision.js';

interface Requested {
  readonly request: Pick<S3Request, 'headers'>;
  readonly caller: Caller;
  readonly bucket: Bucket;
}

/** @throws S3Error AccessDenied for one who would have to pay and does not say so, or is not known */
export function requirePayer({ request, caller, bucket }: Requested): void {
  if (!isCharged(caller, bucket)) return;
  if (caller.kind === 'anonymous')
    throw new S3Error('AccessDenied', {
      message: `Access Denied: requesters of the bucket ${bucket.name} pay, and a request without a signature has nobody who does.`,
    });
  if (saysSo(request)) return;
  throw new S3Error('AccessDenied', {
    message: `Access Denied: requesters of the bucket ${bucket.name} pay, and the request has no header x-amz-request-payer: requester.`,
  });
}

/** What the answer to one who pays has besides. */
export function chargedHeaders({ caller, bucket }: Requested): Readonly<Record<string, string>> {
  return isCharged(caller, bucket) ? { 'x-amz-request-charged': 'requester' } : {};
}

function isCharged(caller: Caller, { configurations, projectId }: Bucket): boolean {
  return configurations.requestPayment === 'Requester' && !isOfOwner(caller, projectId);
}

function saysSo({ headers }: Pick<S3Request, 'headers'>): boolean {
  return String(headers['x-amz-request-payer']).toLowerCase() === 'requester';
}
