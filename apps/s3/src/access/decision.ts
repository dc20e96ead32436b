/**
 * Decides whether a caller may act, by role, owners of bucket and object, bucket policy, and ACLs.
 * Public sources: Amazon S3 user guide, "How Amazon S3 authorizes a request"; Service Authorization
 * Reference, "Actions, resources, and condition keys for Amazon S3".
 */
import type { Caller } from '../auth/caller.js';
import {
  ALL_USERS,
  AUTHENTICATED_USERS,
  isPublicGrant,
  ownersAcl,
  type Acl,
  type Permission,
} from '../buckets/acl.js';
import type { Resource } from './policy/facts.js';
import { isOwnerEnforced, publicAccessOf } from './acl-request.js';
import { verdictOf, type Verdict } from './policy/evaluate-policy.js';
import { policyOf } from './policy/parse-policy.js';
import { isPublicPolicy } from './policy/public-policy.js';
import type { S3Request } from '../http/s3-request.js';
import { isWrite, type OperationDeclaration } from '../operations/operation-row.js';
import { OPERATIONS } from '../operations/operations.js';

/** Actions that have another name when a request names a version. */
const VERSIONED: Readonly<Record<string, string>> = {
  's3:DeleteObject': 's3:DeleteObjectVersion',
  's3:DeleteObjectTagging': 's3:DeleteObjectVersionTagging',
  's3:GetObject': 's3:GetObjectVersion',
  's3:GetObjectAcl': 's3:GetObjectVersionAcl',
  's3:GetObjectAttributes': 's3:GetObjectVersionAttributes',
  's3:GetObjectTagging': 's3:GetObjectVersionTagging',
  's3:GetObjectTorrent': 's3:GetObjectVersionTorrent',
  's3:PutObjectAcl': 's3:PutObjectVersionAcl',
  's3:PutObjectTagging': 's3:PutObjectVersionTagging',
};

/** Requested by a header, not by an operation of its own. */
export const BYPASS_GOVERNANCE = 's3:BypassGovernanceRetention';

interface ActionTraits {
  readonly isWrite: boolean;
  /** Whether it concerns an existing object, whose owner then decides. */
  readonly isOfObject: boolean;
  /** The permission by which an ACL can grant it: the object's ACL if it concerns one. */
  readonly acl: Permission | undefined;
}

const UNKNOWN: ActionTraits = { isWrite: true, isOfObject: false, acl: undefined };

const TRAITS = traits();

function traits(): ReadonlyMap<string, ActionTraits> {
  const known = new Map<string, ActionTraits>([[BYPASS_GOVERNANCE, UNKNOWN]]);
  for (const row of OPERATIONS as readonly OperationDeclaration[]) {
    const before = known.get(row.action);
    known.set(row.action, {
      isWrite: (before?.isWrite ?? false) || isWrite(row),
      isOfObject: (before?.isOfObject ?? false) || row.of !== undefined,
      acl: before?.acl ?? row.acl,
    });
  }
  for (const [plain, versioned] of Object.entries(VERSIONED)) {
    const base = known.get(plain) ?? UNKNOWN;
    // Only the owner of the bucket deletes versions.
    const acl = plain === 's3:DeleteObject' ? undefined : base.acl;
    known.set(versioned, { ...base, acl });
  }
  return known;
}

/** Policies may name them, although no operation needs them. */
const NEVER_ASKED = [
  'GetObjectVersionForReplication',
  'InitiateReplication',
  'ObjectOwnerOverrideToBucketOwner',
  'ReplicateDelete',
  'ReplicateObject',
  'ReplicateTags',
  'UpdateObjectEncryption',
].map((name) => `s3:${name}`);

/** All actions that policies may name. */
export const ACTIONS: readonly string[] = [...TRAITS.keys(), ...NEVER_ASKED];

function traitsOf(action: string): ActionTraits {
  return TRAITS.get(action) ?? UNKNOWN;
}

/** `s3:GetObjectVersion` for a GetObject that names a version. */
export function actionOf(
  { action }: OperationDeclaration,
  { query }: Pick<S3Request, 'query'>,
): string {
  return query.has('versionId') ? versionedAction(action) : action;
}

export function versionedAction(action: string): string {
  return VERSIONED[action] ?? action;
}

interface Question {
  readonly caller: Caller;
  /** As policies name it: `s3:GetObject`. */
  readonly action: string;
  readonly resource: Resource;
  /** Whether the object is just being stored. */
  readonly isNew?: boolean;
}

const POLICY_ACTIONS = new Set([
  's3:GetBucketPolicy',
  's3:PutBucketPolicy',
  's3:DeleteBucketPolicy',
]);

/**
 * Absence may only be revealed to callers who may list the bucket.
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
  // A bucket's policy covers only what its owner owns.
  if (verdict === 'allow' && owner === resource.bucket.projectId) return true;
  return isGranted(question, traits);
}

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

/** The owner of a bucket can always repair its policy. */
function keepsPolicy({ caller, action, resource }: Question): boolean {
  return POLICY_ACTIONS.has(action) && isOfOwner(caller, resource.bucket.projectId);
}

/** Whether the caller may list with the key as prefix. */
function mayList({ caller, resource }: Question): boolean {
  const query = new Map([['prefix', resource.key ?? '']]);
  const list = { ...resource, key: undefined, request: { ...resource.request, query } };
  return isAllowed({ caller, action: 's3:ListBucket', resource: list });
}

/** The limit of the caller's role: no ACL or policy lets a reader write. */
export function hasRole(caller: Caller, { isWrite }: Pick<ActionTraits, 'isWrite'>): boolean {
  if (caller.kind === 'anonymous') return true;
  const roles = isWrite ? ['member', 'admin'] : ['reader', 'member', 'admin'];
  return roles.some((role) => caller.roles.includes(role));
}

/** Administrators work across projects. */
export function isOfOwner(caller: Caller, owner: string): boolean {
  return caller.kind === 'signed' && (caller.projectId === owner || caller.roles.includes('admin'));
}

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
