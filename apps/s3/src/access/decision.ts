/**
 * Whether somebody may do something: by their role, whose the bucket and the object are, and what
 * ACLs grant. Pure. Public source: Amazon S3 user guide, "How Amazon S3 authorizes a request".
 */
import type { Caller } from '../auth/caller.js';
import type { Bucket } from '../buckets/bucket.entity.js';
import type { S3Request } from '../http/s3-request.js';
import type { StoredObject } from '../objects/object.entity.js';
import { ALL_USERS, AUTHENTICATED_USERS, isPublicGrant, ownersAcl, type Acl } from './acl.js';
import { traitsOf, type ActionTraits } from './actions.js';
import { isOwnerEnforced } from './ownership.js';
import { publicAccessOf } from './public-access.js';

/** What something is to be done to. */
export interface Resource {
  readonly bucket: Bucket;
  readonly key: string | undefined;
  /** The version that is there: needed for actions on one. */
  readonly object: StoredObject | undefined;
  /** What asks for it: policies have conditions on it. */
  readonly request: S3Request;
}

export interface Question {
  readonly caller: Caller;
  /** As policies name it: `s3:GetObject`. */
  readonly action: string;
  readonly resource: Resource;
}

/**
 * What is not there may be told only to those who could list it.
 * @returns whether the action is allowed; one on an object that is not there, whether it may be said
 */
export function isAllowed(question: Question): boolean {
  const { caller, resource } = question;
  const traits = traitsOf(question.action);
  if (!hasRole(caller, traits)) return false;
  if (traits.isOfObject && !isThere(resource))
    return isAllowed({ ...question, action: 's3:ListBucket' });
  return isOfOwner(caller, ownerOf(traits, resource)) || isGranted(question, traits);
}

/** Its project's own limit for a caller: nobody's ACL or policy lets a reader write. */
export function hasRole(caller: Caller, { isWrite }: Pick<ActionTraits, 'isWrite'>): boolean {
  if (caller.kind === 'anonymous') return true;
  const roles = isWrite ? ['member', 'admin'] : ['reader', 'member', 'admin'];
  return roles.some((role) => caller.roles.includes(role));
}

/** Administrators work across projects. */
export function isOfOwner(caller: Caller, owner: string): boolean {
  return caller.kind === 'signed' && (caller.projectId === owner || caller.roles.includes('admin'));
}

/** A marker of a deletion is no object. */
function isThere({ object }: Resource): boolean {
  return object !== undefined && !object.isDeleteMarker;
}

function ownerOf({ isOfObject }: ActionTraits, { bucket, object }: Resource): string {
  if (!isOfObject || object === undefined || isOwnerEnforced(bucket)) return bucket.projectId;
  return object.ownerId;
}

function isGranted({ caller, resource }: Question, { acl: permission, isOfObject }: ActionTraits) {
  const { bucket } = resource;
  if (permission === undefined || isOwnerEnforced(bucket)) return false;
  const { grants } = aclOfTarget(isOfObject, resource);
  const isIgnored = publicAccessOf(bucket).ignorePublicAcls;
  return grants.some(
    (grant) =>
      [permission, 'FULL_CONTROL'].includes(grant.permission) &&
      isMeant(caller, grant.grantee) &&
      !(isIgnored && isPublicGrant(grant)),
  );
}

function aclOfTarget(isOfObject: boolean, { bucket, object }: Resource): Acl {
  if (isOfObject && object) return object.acl ?? ownersAcl(object.ownerId);
  return bucket.acl ?? ownersAcl(bucket.projectId);
}

function isMeant(caller: Caller, grantee: Acl['grants'][number]['grantee']): boolean {
  if (grantee.kind === 'project')
    return caller.kind === 'signed' && caller.projectId === grantee.id;
  if (grantee.uri === ALL_USERS) return true;
  return grantee.uri === AUTHENTICATED_USERS && caller.kind === 'signed';
}
