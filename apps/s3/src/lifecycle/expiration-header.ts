/**
 * Tells clients when an object will expire. Public source: Amazon S3 API reference, "PutObject",
 * `x-amz-expiration`. Pure.
 */
import type { Bucket } from '../buckets/bucket.entity.js';
import type { StoredObject } from '../objects/object.entity.js';
import { dueAt } from './expiration-time.js';
import { firstDue } from './first-due.js';
import { isFor, type FilteredObject } from './lifecycle-filter.js';
import type { Expiration } from './lifecycle-rule.js';

/**
 * In days of 24 hours, however short they are for the sweep.
 * @param object the latest version of its key
 * @returns `expiry-date="Fri, 21 Dec 2012 00:00:00 GMT", rule-id="logs"`, of the rule that comes
 * first; undefined if none applies
 */
export function expirationHeaderOf(
  bucket: Pick<Bucket, 'configurations'>,
  object: FilteredObject & Pick<StoredObject, 'modifiedAt'>,
): string | undefined {
  const first = firstDue(bucket, ({ filter, expiration }) =>
    expiration && isFor(filter, object) ? expiryOf(expiration, object.modifiedAt) : undefined,
  );
  return first && `expiry-date="${first.at.toUTCString()}", rule-id="${first.ruleId}"`;
}

function expiryOf(expiration: Expiration, modifiedAt: Date): Date | undefined {
  switch (expiration.kind) {
    case 'days':
      return dueAt(modifiedAt, expiration.days);
    case 'date':
      return new Date(expiration.date);
    case 'delete-markers':
      return undefined;
  }
}
