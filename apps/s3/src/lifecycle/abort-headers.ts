/**
 * Tells clients when an upload will be aborted. Public source: Amazon S3 API reference,
 * CreateMultipartUpload, `x-amz-abort-date`. Pure.
 */
import type { Bucket } from '../buckets/bucket.entity.js';
import type { Upload } from '../multipart/upload.entity.js';
import { dueAt } from './expiration-time.js';
import { firstDue } from './first-due.js';
import { isForKey } from './lifecycle-filter.js';

/**
 * In days of 24 hours, however short they are for the sweep.
 * @returns no headers if no rule aborts the upload
 */
export function abortHeaders(
  bucket: Pick<Bucket, 'configurations'>,
  { key, initiatedAt }: Pick<Upload, 'key' | 'initiatedAt'>,
): Record<string, string> {
  const first = firstDue(bucket, ({ filter, abortUploadsAfterDays: days }) =>
    days !== undefined && isForKey(filter, key) ? dueAt(initiatedAt, days) : undefined,
  );
  if (!first) return {};
  return { 'x-amz-abort-date': first.at.toUTCString(), 'x-amz-abort-rule-id': first.ruleId };
}
