/** The regions of buckets. They are names: all buckets are in one place. Pure. */
import { S3Error } from '../http/s3-error.js';

/** Where a bucket is whose answer names no region. */
export const FIRST_REGION = 'us-east-1';
const REGION = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** A region that was called otherwise before there were others around it. */
const RENAMED: ReadonlyMap<string, string> = new Map([['EU', 'eu-west-1']]);

/**
 * @param constraint where a client wants a bucket to be
 * @returns undefined if it does not say. @throws S3Error InvalidLocationConstraint
 */
export function regionOf(constraint: string): string | undefined {
  if (constraint === '') return undefined;
  const region = RENAMED.get(constraint) ?? constraint;
  if (REGION.test(region)) return region;
  throw new S3Error('InvalidLocationConstraint', {
    message: `The specified location constraint is not valid: ${constraint}.`,
    details: { LocationConstraint: constraint },
  });
}
