/**
 * Whether somebody may do something: by their role, whose the bucket and the object are, what the
 * bucket's policy says, and what ACLs grant. Public source: Amazon S3 user guide, "How Amazon S3
 * authorizes a request".
 */
import type { Caller } from '../auth/caller.js';
import {
  ALL_USERS,
  AUTHENTICATED_USERS,
  isPublicGrant,
  ownersAcl,
  type Acl,
} from '../buckets/acl.js';
import { traitsOf, type ActionTraits, type Question, type Resource } from './actions.js';
import { isOwnerEnforced, publicAccessOf } from './ownership.js';
import { verdictOf, type Verdict } from './policy/evaluate-policy.js';
import { policyOf } from './policy/parse-policy.js';
import { isPublicPolicy } from './policy/public-policy.js';

const POLICY_ACTIONS = new Set([
  's3:GetBucketPolicy',
  's3:PutBucketPolicy',
  's3:DeleteBucketPolicy',
]);

/**
 * What is not there may be told only to those who could list it.
 * @returns whether the action is allowed; one on an object that is not there, whether it may be said
 */
export function isAllowed(question: Question): boolean {
  const { caller, action, resource, isNew = false } = question;
  const known = traitsOf(action);
  const traits = isNew ? { ...known, isOfObject: false, acl: undefined } : known;
  if (!hasRole(caller, traits)) return false;
  const verdict = verdictFor(question);
  if (verdict === 'deny') return keepsPolicy(question);
  if (traits.isOfObject && !isThere(resource)) return mayList(question);
  const owner = ownerOf(traits, resource);
  if (isOfOwner(caller, owner)) return true;
  // A bucket's policy disposes of what its owner owns.
  if (verdict === 'allow' && owner === resource.bucket.projectId) return true;
  return isGranted(question, traits);
}

/** Whether the policy of the bucket says that it may not be done. */
export function isDenied(question: Question): boolean {
  return verdictFor(question) === 'deny' && !keepsPolicy(question);
}

function verdictFor({ caller, action, resource }: Question): Verdict {
  const policy = policyOf(resource.bucket);
  if (!policy) return 'nothing';
  const verdict = verdictOf(policy, action, { ...resource, caller, now: new Date() });
  const { restrictPublicBuckets } = publicAccessOf(resource.bucket);
  const isRestricted =
    restrictPublicBuckets &&
    !isOfOwner(caller, resource.bucket.projectId) &&
    isPublicPolicy(policy);
  return verdict === 'allow' && isRestricted ? 'nothing' : verdict;
}

/** The owner of a bucket can always mend its policy. */
function keepsPolicy({ caller, action, resource }: Question): boolean {
  return POLICY_ACTIONS.has(action) && isOfOwner(caller, resource.bucket.projectId);
}

/** Whether a list could show it: one whose prefix is the key. */
function mayList({ caller, resource }: Question): boolean {
  const query = new Map([['prefix', resource.key ?? '']]);
  const list = { ...resource, key: undefined, request: { ...resource.request, query } };
  return isAllowed({ caller, action: 's3:ListBucket', resource: list });
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
