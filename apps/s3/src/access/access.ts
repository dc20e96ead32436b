/**
 * Whether a caller may do what a request asks for. The dispatcher asks before every operation;
 * operations ask about what else they touch: the source of a copy, each key of a bulk deletion.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import type { Bucket } from '../buckets/bucket.entity.js';
import type { Tags } from '../buckets/tags.js';
import { S3Error } from '../http/s3-error.js';
import type { S3Request } from '../http/s3-request.js';
import type { StoredObject } from '../objects/object.entity.js';
import { isWrite, type OperationDeclaration } from '../operations/operation-row.js';
import { asksForAcl } from './acl-request.js';
import { AclRules } from './acl-rules.js';
import { actionOf, BYPASS_GOVERNANCE, versionedAction, type Resource } from './actions.js';
import { hasRole, isAllowed, isDenied, isOfOwner } from './decision.js';
import { isOfRequestTags } from './policy/facts.js';
import { policyOf } from './policy/parse-policy.js';

export interface Attempt {
  readonly request: S3Request;
  readonly operation: OperationDeclaration;
  readonly caller: Caller;
  /** Absent for operations on the service, and for CreateBucket. */
  readonly bucket: Bucket | undefined;
  readonly key: string | undefined;
  /** Of operations that are about one. */
  readonly object: StoredObject | undefined;
}

/** Operations that store an object with the ACL that their headers ask for. */
const STORES = new Set(['PutObject', 'CopyObject', 'CreateMultipartUpload', 'PostObject']);

@Injectable()
export class Access {
  constructor(private readonly aclRules: AclRules) {}

  /**
   * A request may be made, and its bucket takes the ACL that its headers ask for.
   * @throws S3Error AccessDenied, AccessControlListNotSupported, InvalidBucketAclWithObjectOwnership,
   * InvalidArgument, InvalidRequest, UnresolvableGrantByEmailAddress
   */
  async require(attempt: Attempt): Promise<void> {
    const { request, operation, caller, bucket } = attempt;
    if (!hasRole(caller, { isWrite: isWrite(operation) })) throw denied(attempt, operation.action);
    if (bucket === undefined) return this.#requireWithoutBucket(attempt);
    requireExpectedOwner(request, bucket);
    requirePayer({ request, caller, bucket });
    // Of a list of keys each is decided alone, and the operation asks.
    if (operation.name === 'DeleteObjects') return;
    if (isDecidedByTags(operation, bucket)) return;
    const action = actionOf(operation, request);
    if (!isAllowed({ caller, action, resource: { ...attempt, bucket } }))
      throw denied(attempt, action);
    if (STORES.has(operation.name)) await this.#requireNew(caller, { ...attempt, bucket });
  }

  /**
   * Tags may be put on an object: `require` leaves it to this where the policy is about the tags.
   * @throws S3Error AccessDenied
   */
  requireTags({ caller, ...resource }: Resource & { readonly caller: Caller }, tags: Tags): void {
    const plain = 's3:PutObjectTagging';
    const action = resource.request.query.has('versionId') ? versionedAction(plain) : plain;
    if (isAllowed({ caller, action, resource: { ...resource, requestTags: tags } })) return;
    throw denied({ caller, bucket: resource.bucket, key: resource.key }, action);
  }

  /**
   * @param action as policies name it: `s3:GetObject`, or `s3:GetObjectVersion` of a named version
   * @returns for an action on an object that is not there: whether that may be said
   */
  isAllowed(caller: Caller, action: string, resource: Resource): boolean {
    return isAllowed({ caller, action, resource });
  }

  /** Whether retention in the governance mode is to be ignored: if asked for by one who may. */
  bypassesGovernance(caller: Caller, resource: Resource): boolean {
    const asked = resource.request.headers['x-amz-bypass-governance-retention'];
    return (
      String(asked).toLowerCase() === 'true' && this.isAllowed(caller, BYPASS_GOVERNANCE, resource)
    );
  }

  async #requireNew(caller: Caller, resource: Resource): Promise<void> {
    const refused = refusedActionOf(caller, resource);
    if (refused !== undefined) throw denied({ ...resource, caller }, refused);
    await this.aclRules.requireForNew(resource.bucket, caller, resource.request);
  }

  async #requireWithoutBucket(attempt: Attempt): Promise<void> {
    const { request, operation, caller } = attempt;
    // One who is not known has no buckets, and may hear that.
    if (operation.name === 'ListBuckets') return;
    if (caller.kind === 'anonymous') throw denied(attempt, operation.action);
    requireExpectedOwner(request, {
      projectId: caller.projectId,
      name: request.address.bucket?.name ?? '',
    });
    await this.aclRules.requireForBucket(caller, request);
  }
}

/** Whether it takes the tags in the body to decide. */
function isDecidedByTags({ name }: OperationDeclaration, bucket: Bucket): boolean {
  if (name !== 'PutObjectTagging') return false;
  const { statements = [] } = policyOf(bucket) ?? {};
  return statements.some(({ conditions }) => conditions.some(({ key }) => isOfRequestTags(key)));
}

/** @throws S3Error AccessDenied if the bucket is not whose the request says */
function requireExpectedOwner(
  { headers }: S3Request,
  { projectId, name }: { readonly projectId: string; readonly name: string },
): void {
  const expected = headers['x-amz-expected-bucket-owner'];
  if (expected === undefined || expected === projectId) return;
  throw new S3Error('AccessDenied', {
    message: `Access Denied: the bucket ${name} is not owned by ${String(expected)}.`,
  });
}

/** What was refused, and to whom. */
function denied(
  { caller, bucket, key }: Pick<Attempt, 'caller' | 'bucket' | 'key'>,
  action: string,
): S3Error {
  const who = caller.kind === 'signed' ? `Project ${caller.projectId}` : 'One without a signature';
  const what =
    bucket === undefined ? '' : ` on ${bucket.name}${key === undefined ? '' : `/${key}`}`;
  return new S3Error('AccessDenied', {
    message: `Access Denied: ${who} may not do ${action}${what}.`,
  });
}

interface Further {
  readonly action: string;
  readonly isAskedFor: (headers: IncomingHttpHeaders) => boolean;
  /** Whether it must be allowed; else it is enough that no policy denies it. */
  readonly isNeeded: boolean;
}

const has =
  (...names: string[]) =>
  (headers: IncomingHttpHeaders): boolean =>
    names.some((name) => headers[name] !== undefined);

const FURTHER: readonly Further[] = [
  // Whoever writes an object owns it, and may change these afterwards anyway.
  { action: 's3:PutObjectAcl', isAskedFor: asksForAcl, isNeeded: false },
  { action: 's3:PutObjectTagging', isAskedFor: has('x-amz-tagging'), isNeeded: false },
  {
    action: 's3:PutObjectRetention',
    isAskedFor: has('x-amz-object-lock-mode', 'x-amz-object-lock-retain-until-date'),
    isNeeded: true,
  },
  {
    action: 's3:PutObjectLegalHold',
    isAskedFor: has('x-amz-object-lock-legal-hold'),
    isNeeded: true,
  },
];

/**
 * What else storing an object needs, because its headers ask for more than bytes. Pure. Public
 * source: Amazon S3 API reference, PutObject, "Permissions".
 *
 * @returns an action that the headers ask for, and that the caller may not do
 */
function refusedActionOf(caller: Caller, resource: Resource): string | undefined {
  return FURTHER.find(({ action, isAskedFor, isNeeded }) => {
    if (!isAskedFor(resource.request.headers)) return false;
    const question = { caller, action, resource, isNew: true };
    return isNeeded ? !isAllowed(question) : isDenied(question);
  })?.action;
}

interface Requested {
  readonly request: Pick<S3Request, 'headers'>;
  readonly caller: Caller;
  readonly bucket: Bucket;
}

/**
 * Buckets whose requesters pay: others than their owner say that they know. Nothing is billed here;
 * who does not say so is refused. Public source: Amazon S3 user guide, "Using Requester Pays buckets
 * for storage transfers and usage".
 *
 * @throws S3Error AccessDenied for one who would have to pay and does not say so, or is not known
 */
export function requirePayer({ request, caller, bucket }: Requested): void {
  if (!isCharged(caller, bucket)) return;
  if (caller.kind === 'anonymous')
    throw new S3Error('AccessDenied', {
      message: `Access Denied: requesters of the bucket ${bucket.name} pay, and a request without a signature has nobody who does.`,
    });
  if (saysSo(request)) return;
  throw new S3Error('AccessDenied', {
    message: `Access Denied: requesters of the bucket ${bucket.name} pay, and the request has no header x-amz-request-payer: requester.`,
  });
}

/** What the answer to one who pays has besides. */
export function chargedHeaders({ caller, bucket }: Requested): Readonly<Record<string, string>> {
  return isCharged(caller, bucket) ? { 'x-amz-request-charged': 'requester' } : {};
}

function isCharged(caller: Caller, { configurations, projectId }: Bucket): boolean {
  return configurations.requestPayment === 'Requester' && !isOfOwner(caller, projectId);
}

function saysSo({ headers }: Pick<S3Request, 'headers'>): boolean {
  return String(headers['x-amz-request-payer']).toLowerCase() === 'requester';
}
