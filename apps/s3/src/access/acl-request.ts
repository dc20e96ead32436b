/**
 * The ACL in the headers of a request, whether its bucket accepts ACLs, and the owner of new
 * objects. Public sources: Amazon S3 API reference, PutObjectAcl; user guide, "Controlling ownership
 * of objects and disabling ACLs for your bucket".
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import {
  ALL_USERS,
  AUTHENTICATED_USERS,
  fullControl,
  LOG_DELIVERY,
  type Acl,
  type Grant,
  type Grantee,
  isOwnersAlone,
  isPublicAcl,
  ownersAcl,
} from '../buckets/acl.js';
import { S3Error, invalidArgument } from '../http/s3-error.js';
import type { Caller } from '../auth/caller.js';
import {
  type Bucket,
  OBJECT_OWNERSHIPS,
  type ObjectOwnership,
  type PublicAccessBlock,
} from '../buckets/bucket.entity.js';
import type { S3Request } from '../http/s3-request.js';
import { Grantees } from './grantees.js';

/** In the order in which an ACL shows them. */
const GRANT_HEADERS = [
  ['x-amz-grant-read', 'READ'],
  ['x-amz-grant-write', 'WRITE'],
  ['x-amz-grant-read-acp', 'READ_ACP'],
  ['x-amz-grant-write-acp', 'WRITE_ACP'],
  ['x-amz-grant-full-control', 'FULL_CONTROL'],
] as const satisfies readonly (readonly [string, Grant['permission']])[];

const GROUPS = [ALL_USERS, AUTHENTICATED_USERS, LOG_DELIVERY];
export const MAX_GRANTS = 100;

export function asksForAcl(headers: IncomingHttpHeaders): boolean {
  return headers['x-amz-acl'] !== undefined || grantsAsked(headers).length > 0;
}

/**
 * @param owner the project that owns the bucket or object of the ACL
 * @param bucketOwner the project that owns the bucket; the same for a bucket's own ACL
 */
export function aclOf(
  headers: IncomingHttpHeaders,
  owner: string,
  bucketOwner: string,
): Acl | null {
  const canned = headers['x-amz-acl'];
  const asked = grantsAsked(headers);
  if (canned !== undefined && asked.length > 0)
    throw new S3Error('InvalidRequest', {
      message: 'Specifying both Canned ACLs and Header Grants is not allowed',
    });
  if (canned !== undefined) {
    const acl = cannedAcl(String(canned), owner, bucketOwner);
    if (acl !== undefined) return acl;
    throw invalidArgument('x-amz-acl', String(canned), `There is no canned ACL ${String(canned)}.`);
  }
  if (asked.length === 0) return null;
  const grants = asked.flatMap(([name, text, permission]) =>
    granteesOf(name, text).map((grantee): Grant => ({ grantee, permission })),
  );
  if (grants.length > MAX_GRANTS)
    throw new S3Error('InvalidRequest', {
      message: `An ACL has at most ${MAX_GRANTS} grants, and these headers ask for ${grants.length}.`,
    });
  return { owner, grants };
}

/**
 * @param name of the header or element, for the message
 * @throws S3Error InvalidArgument for a group that S3 does not have
 */
export function groupOf(uri: string, name: string): Grantee {
  if (GROUPS.includes(uri)) return { kind: 'group', uri };
  throw invalidArgument(name, uri, `Invalid group uri: ${uri}`);
}

/** Grantees cannot be named by email, which identity does not disclose. */
export function unresolvable(address: string): S3Error {
  return new S3Error('UnresolvableGrantByEmailAddress', {
    message: `The email address ${address} does not match any account on record.`,
    details: { EmailAddress: address },
  });
}

function grantsAsked(headers: IncomingHttpHeaders): [string, string, Grant['permission']][] {
  return GRANT_HEADERS.flatMap(([name, permission]) => {
    const text = headers[name];
    return text === undefined ? [] : [[name, String(text), permission]];
  });
}

/** `id="…", uri=…`: quotes may be left out. */
const ENTRY = /^\s*(id|uri|emailaddress)\s*=\s*(?:"([^"]*)"|([^\s",]+))\s*$/i;

function granteesOf(name: string, text: string): Grantee[] {
  return text.split(',').map((entry) => {
    const [, kind = '', quoted, plain] = ENTRY.exec(entry) ?? [];
    const value = quoted ?? plain;
    if (value === undefined)
      throw invalidArgument(
        name,
        text,
        `The header ${name} is a list of id=, uri= and emailAddress=.`,
      );
    if (kind.toLowerCase() === 'id') return { kind: 'project', id: value };
    if (kind.toLowerCase() === 'uri') return groupOf(value, name);
    throw unresolvable(value);
  });
}

type Grants = (bucketOwner: string) => readonly Grant[];

/**
 * ACLs that clients ask for by name. Public source: Amazon S3 user guide, "Canned ACL".
 *
 * What each grants besides full control to the owner.
 */
const CANNED: Readonly<Record<string, Grants>> = {
  private: () => [],
  'public-read': () => [toGroup(ALL_USERS, 'READ')],
  'public-read-write': () => [toGroup(ALL_USERS, 'READ'), toGroup(ALL_USERS, 'WRITE')],
  'authenticated-read': () => [toGroup(AUTHENTICATED_USERS, 'READ')],
  // Amazon lets its own image import read; here that acts as the one who asks for it.
  'aws-exec-read': () => [],
  'bucket-owner-read': (id) => [{ grantee: { kind: 'project', id }, permission: 'READ' }],
  'bucket-owner-full-control': (id) => [fullControl(id)],
  'log-delivery-write': () => [toGroup(LOG_DELIVERY, 'WRITE'), toGroup(LOG_DELIVERY, 'READ_ACP')],
};

/**
 * @param bucketOwner the project that owns the bucket of the object, or the bucket itself
 * @returns undefined for an unknown name; null for what needs no storing: the owner has everything
 */
function cannedAcl(name: string, owner: string, bucketOwner: string): Acl | null | undefined {
  if (!Object.hasOwn(CANNED, name)) return undefined;
  const more = (CANNED[name]?.(bucketOwner) ?? []).filter(
    ({ grantee }) => grantee.kind === 'group' || grantee.id !== owner,
  );
  return more.length === 0 ? null : { owner, grants: [...more, fullControl(owner)] };
}

function toGroup(uri: string, permission: Grant['permission']): Grant {
  return { grantee: { kind: 'group', uri }, permission };
}

@Injectable()
export class AclRules {
  constructor(private readonly grantees: Grantees) {}

  /**
   * Checks the ACL of an object that is to be written.
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
   * Checks the ACL of a bucket that is to be created.
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
   * Checks any ACL, also one from a document.
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

type Owned = Pick<Bucket, 'configurations' | 'projectId'>;

/** A bucket without ownership controls leaves objects to their writers. */
function ownershipOf({ configurations }: Pick<Bucket, 'configurations'>): ObjectOwnership {
  return configurations.ownership ?? 'ObjectWriter';
}

/** Whether the bucket's owner owns all objects, and ACLs have no effect. */
export function isOwnerEnforced(bucket: Pick<Bucket, 'configurations'>): boolean {
  return ownershipOf(bucket) === 'BucketOwnerEnforced';
}

/**
 * The project that will own an object.
 * @param headers of the request that writes it, or starts the upload of it
 */
export function ownerOfNew(bucket: Owned, caller: Caller, headers: IncomingHttpHeaders): string {
  // Anonymous writes belong to the owner of the bucket.
  if (caller.kind === 'anonymous' || isOwnerEnforced(bucket)) return bucket.projectId;
  const isGiven = headers['x-amz-acl'] === 'bucket-owner-full-control';
  return ownershipOf(bucket) === 'BucketOwnerPreferred' && isGiven
    ? bucket.projectId
    : caller.projectId;
}

/** The ACL that applies, and that is shown. */
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
 * The public access block of a bucket, which overrides its ACLs and its policy. Public source: Amazon
 * S3 user guide, "Blocking public access to your Amazon S3 storage".
 */
export function publicAccessOf({
  configurations,
}: Pick<Bucket, 'configurations'>): PublicAccessBlock {
  return configurations.publicAccessBlock ?? NONE;
}
