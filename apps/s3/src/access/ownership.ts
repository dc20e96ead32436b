/**
 * Who owns what is put into a bucket. Public source: Amazon S3 user guide, "Controlling ownership
 * of objects and disabling ACLs for your bucket".
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../auth/caller.js';
import { ownersAcl, type Acl } from '../buckets/acl.js';
import type { Bucket } from '../buckets/bucket.entity.js';
import type { ObjectOwnership, PublicAccessBlock } from '../buckets/configurations.js';

type Owned = Pick<Bucket, 'configurations' | 'projectId'>;

/** As configured; a bucket without controls leaves objects to those who write them. */
function ownershipOf({ configurations }: Pick<Bucket, 'configurations'>): ObjectOwnership {
  return configurations.ownership ?? 'ObjectWriter';
}

/** Whether the bucket's owner owns all in it, and ACLs say nothing. */
export function isOwnerEnforced(bucket: Pick<Bucket, 'configurations'>): boolean {
  return ownershipOf(bucket) === 'BucketOwnerEnforced';
}

/**
 * The project that will own an object.
 * @param headers of the request that writes it, or starts the upload of it
 */
export function ownerOfNew(bucket: Owned, caller: Caller, headers: IncomingHttpHeaders): string {
  // What nobody signed for belongs to the one who lets anybody write.
  if (caller.kind === 'anonymous' || isOwnerEnforced(bucket)) return bucket.projectId;
  const isGiven = headers['x-amz-acl'] === 'bucket-owner-full-control';
  return ownershipOf(bucket) === 'BucketOwnerPreferred' && isGiven
    ? bucket.projectId
    : caller.projectId;
}

/** The ACL of a bucket or an object as it counts, and as it is shown. */
export function effectiveAcl(bucket: Owned, acl: Acl | null, owner: string): Acl {
  return isOwnerEnforced(bucket) ? ownersAcl(bucket.projectId) : (acl ?? ownersAcl(owner));
}

const NONE: PublicAccessBlock = {
  blockPublicAcls: false,
  ignorePublicAcls: false,
  blockPublicPolicy: false,
  restrictPublicBuckets: false,
};

/**
 * What a bucket keeps from the public, whatever its ACLs and its policy say. Public source: Amazon
 * S3 user guide, "Blocking public access to your Amazon S3 storage".
 */
export function publicAccessOf({
  configurations,
}: Pick<Bucket, 'configurations'>): PublicAccessBlock {
  return configurations.publicAccessBlock ?? NONE;
}
