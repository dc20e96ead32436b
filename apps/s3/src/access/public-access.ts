/**
 * What a bucket keeps from the public, whatever its ACLs and its policy say. Public source: Amazon
 * S3 user guide, "Blocking public access to your Amazon S3 storage".
 */
import type { Bucket } from '../buckets/bucket.entity.js';
import type { PublicAccessBlock } from '../configurations/configurations.js';

const NONE: PublicAccessBlock = {
  blockPublicAcls: false,
  ignorePublicAcls: false,
  blockPublicPolicy: false,
  restrictPublicBuckets: false,
};

export function publicAccessOf({
  configurations,
}: Pick<Bucket, 'configurations'>): PublicAccessBlock {
  return configurations.publicAccessBlock ?? NONE;
}
