/**
 * Which names a bucket may have. Public source: Amazon S3 user guide, "General purpose bucket naming
 * rules". Pure.
 */
import { S3Error } from '../http/s3-error.js';

const MIN_LENGTH = 3;
const MAX_LENGTH = 63;
/** Labels of a host name: letters, digits and, between them, hyphens. */
const LABELS = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
const ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;
/** Names that Amazon keeps for buckets of other kinds. */
const PREFIXES = ['xn--', 'sthree-', 'amzn-s3-demo-'];
const SUFFIXES = ['-s3alias', '--ol-s3', '.mrap', '--x-s3', '--table-s3'];

/** @throws S3Error InvalidBucketName, with the rule that it breaks */
export function requireBucketName(name: string): void {
  const rule = brokenRule(name);
  if (rule === undefined) return;
  throw new S3Error('InvalidBucketName', {
    message: `The specified bucket is not valid: its name ${rule}.`,
    details: { BucketName: name },
  });
}

function brokenRule(name: string): string | undefined {
  const prefix = PREFIXES.find((one) => name.startsWith(one));
  const suffix = SUFFIXES.find((one) => name.endsWith(one));
  if (name.length < MIN_LENGTH || name.length > MAX_LENGTH)
    return `must have between ${MIN_LENGTH} and ${MAX_LENGTH} characters`;
  if (!LABELS.test(name))
    return 'must consist of labels with dots between them, each of lower-case letters, digits and hyphens, with a letter or a digit at both ends';
  if (ADDRESS.test(name)) return 'must not be formatted as an IP address';
  if (prefix !== undefined) return `must not begin with ${prefix}`;
  if (suffix !== undefined) return `must not end with ${suffix}`;
  return undefined;
}
