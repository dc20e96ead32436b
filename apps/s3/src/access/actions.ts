/**
 * What policies name instead of operations, and what of it ACLs grant. Public source: Service
 * Authorization Reference, "Actions, resources, and condition keys for Amazon S3".
 */
import type { Caller } from '../auth/caller.js';
import type { Permission } from '../buckets/acl.js';
import type { Bucket } from '../buckets/bucket.entity.js';
import type { Tags } from '../buckets/tags.js';
import type { S3Request } from '../http/s3-request.js';
import type { StoredObject } from '../objects/object.entity.js';
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

/** Without an operation of its own: a header asks for it. */
export const BYPASS_GOVERNANCE = 's3:BypassGovernanceRetention';

export interface ActionTraits {
  readonly isWrite: boolean;
  /** Whether it is about an object that is there, whose owner then decides. */
  readonly isOfObject: boolean;
  /** What an ACL may grant instead of a policy: that of the object if it is of one. */
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
    // A version is deleted by the owner of its bucket alone.
    const acl = plain === 's3:DeleteObject' ? undefined : base.acl;
    known.set(versioned, { ...base, acl });
  }
  return known;
}

/** Policies may name them, although nothing here asks for them. */
const NEVER_ASKED = [
  'GetObjectVersionForReplication',
  'InitiateReplication',
  'ObjectOwnerOverrideToBucketOwner',
  'ReplicateDelete',
  'ReplicateObject',
  'ReplicateTags',
  'UpdateObjectEncryption',
].map((name) => `s3:${name}`);

/** Every action that there is, as policies spell it. */
export const ACTIONS: readonly string[] = [...TRAITS.keys(), ...NEVER_ASKED];

export function traitsOf(action: string): ActionTraits {
  return TRAITS.get(action) ?? UNKNOWN;
}

/** `s3:GetObjectVersion` for a GetObject that names a version. */
export function actionOf(
  { action }: OperationDeclaration,
  { query }: Pick<S3Request, 'query'>,
): string {
  return query.has('versionId') ? versionedAction(action) : action;
}

/** The name of an action on a version that is named. */
export function versionedAction(action: string): string {
  return VERSIONED[action] ?? action;
}

/** What something is to be done to. */
export interface Resource {
  readonly bucket: Bucket;
  readonly key: string | undefined;
  /** The version that is there: needed for actions on one. */
  readonly object: StoredObject | undefined;
  /** What asks for it: policies have conditions on it. */
  readonly request: S3Request;
  /** Tags that its body brings; else those of its headers count. */
  readonly requestTags?: Tags;
}

/** What is asked of those who decide on access. */
export interface Question {
  readonly caller: Caller;
  /** As policies name it: `s3:GetObject`. */
  readonly action: string;
  readonly resource: Resource;
  /** Whether it is to be done to an object that is only just being stored. */
  readonly isNew?: boolean;
}
