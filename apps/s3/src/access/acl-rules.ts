/** Whether a bucket takes the ACL that a request asks for. */
import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import type { Bucket } from '../buckets/bucket.entity.js';
import { OBJECT_OWNERSHIPS } from '../buckets/configurations.js';
import { S3Error } from '../http/s3-error.js';
import type { S3Request } from '../http/s3-request.js';
import { isOwnersAlone, isPublicAcl, type Acl } from '../buckets/acl.js';
import { aclOf, asksForAcl } from './acl-request.js';
import { Grantees } from './grantees.js';
import { isOwnerEnforced, ownerOfNew, publicAccessOf } from './ownership.js';

@Injectable()
export class AclRules {
  constructor(private readonly grantees: Grantees) {}

  /**
   * Of the ACL of an object that is to be written.
   * @throws S3Error AccessControlListNotSupported, AccessDenied, InvalidArgument, InvalidRequest,
   * UnresolvableGrantByEmailAddress
   */
  async requireForNew(
    bucket: Bucket,
    caller: Caller,
    { headers }: Pick<S3Request, 'headers'>,
  ): Promise<void> {
    if (!asksForAcl(headers)) return;
    const owner = ownerOfNew(bucket, caller, headers);
    const acl = aclOf(headers, owner, bucket.projectId);
    if (isOwnerEnforced(bucket) && !isFullControlOfOwner(headers, acl, bucket))
      throw notSupported();
    await this.require(bucket, acl, caller);
  }

  /**
   * Of a bucket that is to be created.
   * @throws S3Error InvalidBucketAclWithObjectOwnership, InvalidArgument, InvalidRequest,
   * UnresolvableGrantByEmailAddress
   */
  async requireForBucket(
    caller: Caller & { readonly kind: 'signed' },
    { headers }: Pick<S3Request, 'headers'>,
  ): Promise<void> {
    const ownership = headers['x-amz-object-ownership'];
    if (ownership !== undefined && !(OBJECT_OWNERSHIPS as readonly unknown[]).includes(ownership))
      throw new S3Error('InvalidArgument', {
        message: `Invalid x-amz-object-ownership header: ${String(ownership)}`,
      });
    if (!asksForAcl(headers)) return;
    const acl = aclOf(headers, caller.projectId, caller.projectId);
    if (ownership === 'BucketOwnerEnforced' && !isOwnersAlone(acl))
      throw new S3Error('InvalidBucketAclWithObjectOwnership');
    await this.grantees.require(acl, [caller.projectId]);
  }

  /**
   * Of any ACL, also one that came as a document.
   * @throws S3Error AccessDenied for a public one in a bucket that blocks these; InvalidArgument
   */
  async require(bucket: Bucket, acl: Acl | null, caller: Caller): Promise<void> {
    if (isPublicAcl(acl) && publicAccessOf(bucket).blockPublicAcls)
      throw new S3Error('AccessDenied', {
        message: `Access Denied: the public access block of ${bucket.name} refuses public ACLs.`,
      });
    const own = caller.kind === 'signed' ? caller.projectId : undefined;
    await this.grantees.require(acl, [bucket.projectId, acl?.owner, own]);
  }
}

export function notSupported(): S3Error {
  return new S3Error('AccessControlListNotSupported', {
    message: 'The bucket does not allow ACLs: its owner owns everything in it.',
  });
}

/** The one ACL that says what holds anyway. */
function isFullControlOfOwner(
  headers: S3Request['headers'],
  acl: Acl | null,
  { projectId }: Bucket,
): boolean {
  if (headers['x-amz-acl'] !== undefined)
    return headers['x-amz-acl'] === 'bucket-owner-full-control';
  const [grant, ...more] = acl?.grants ?? [];
  if (grant?.permission !== 'FULL_CONTROL' || more.length > 0) return false;
  return grant.grantee.kind === 'project' && grant.grantee.id === projectId;
}
