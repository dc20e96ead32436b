/**
 * Whether a caller may do what a request asks for. The dispatcher asks before every operation;
 * operations ask about what else they touch: the source of a copy, each key of a bulk deletion.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { isAllowed as isAllowedByRules } from '@cumulet/common/context/access-rules';
import type { Caller } from '../auth/caller.js';
import type { Bucket } from '../buckets/bucket.entity.js';
import type { Tags } from '../buckets/tags.js';
import { S3Error } from '../http/s3-error.js';
import type { S3Request, NamedBucket, S3Address } from '../http/s3-request.js';
import type { StoredObject } from '../objects/object.entity.js';
import { isWrite, type OperationDeclaration } from '../operations/operation-row.js';
import { asksForAcl, AclRules } from './acl-request.js';
import {
  actionOf,
  BYPASS_GOVERNANCE,
  versionedAction,
  hasRole,
  isAllowed,
  isDenied,
  isOfOwner,
} from './decision.js';
import type { Resource } from './policy/facts.js';
import { isOfRequestTags } from './policy/facts.js';
import { policyOf } from './policy/parse-policy.js';

export interface Attempt {
  readonly request: S3Request;
  readonly operation: OperationDeclaration;
  readonly caller: Caller;
  /** Absent for operations on the service, and for CreateBucket. */
  readonly bucket: Bucket | undefined;
  readonly key: string | undefined;
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
    // The operation decides for each key.
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

  /** Whether the caller asks for, and may bypass, governance retention. */
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
    // Anonymous callers get an empty list.
    if (operation.name === 'ListBuckets') return;
    if (caller.kind === 'anonymous') throw denied(attempt, operation.action);
    requireExpectedOwner(request, {
      projectId: caller.projectId,
      name: request.address.bucket?.name ?? '',
    });
    await this.aclRules.requireForBucket(caller, request);
  }
}

/** Whether the policy depends on the tags in the body. */
function isDecidedByTags({ name }: OperationDeclaration, bucket: Bucket): boolean {
  if (name !== 'PutObjectTagging') return false;
  const { statements = [] } = policyOf(bucket) ?? {};
  return statements.some(({ conditions }) => conditions.some(({ key }) => isOfRequestTags(key)));
}

/** @throws S3Error AccessDenied if the bucket has another owner than the request names */
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

function denied(
  { caller, bucket, key }: Pick<Attempt, 'caller' | 'bucket' | 'key'>,
  action: string,
): S3Error {
  const who = caller.kind === 'signed' ? `Project ${caller.projectId}` : 'An anonymous caller';
  const what =
    bucket === undefined ? '' : ` on ${bucket.name}${key === undefined ? '' : `/${key}`}`;
  return new S3Error('AccessDenied', {
    message: `Access Denied: ${who} is not allowed to perform ${action}${what}.`,
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
  // The writer owns the object and may change these afterwards anyway.
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
 * The further permissions that headers of a write require. Pure. Public
 * source: Amazon S3 API reference, PutObject, "Permissions".
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
 * Buckets with requester pays: requesters other than the owner must acknowledge it, and nothing is
 * billed.
 * Public source: Amazon S3 user guide, "Using Requester Pays buckets for storage transfers and usage".
 * @throws S3Error AccessDenied for a requester who does not acknowledge it, or is anonymous
 */
export function requirePayer({ request, caller, bucket }: Requested): void {
  if (!isCharged(caller, bucket)) return;
  if (caller.kind === 'anonymous')
    throw new S3Error('AccessDenied', {
      message: `Access Denied: requesters pay for the bucket ${bucket.name}, and an anonymous request has nobody to charge.`,
    });
  if (saysSo(request)) return;
  throw new S3Error('AccessDenied', {
    message: `Access Denied: requesters pay for the bucket ${bucket.name}, and the request has no header x-amz-request-payer: requester.`,
  });
}

/** Headers of the answer to a requester who pays. */
export function chargedHeaders({ caller, bucket }: Requested): Readonly<Record<string, string>> {
  return isCharged(caller, bucket) ? { 'x-amz-request-charged': 'requester' } : {};
}

function isCharged(caller: Caller, { configurations, projectId }: Bucket): boolean {
  return configurations.requestPayment === 'Requester' && !isOfOwner(caller, projectId);
}

function saysSo({ headers }: Pick<S3Request, 'headers'>): boolean {
  return String(headers['x-amz-request-payer']).toLowerCase() === 'requester';
}

const SERVICE_TYPE = 's3';

/**
 * Access rules of the application credential that an access key acts for. A rule names the service type
 * `s3`, a method, and the path in path style, decoded: `/bucket/key`, whichever way the request is
 * addressed; its query does not count. Public source: Keystone user guide, "Application Credentials".
 * @param method of the request; that of reading, for the source of a copy
 * @throws S3Error AccessDenied
 */
export function requireRule(
  caller: Caller,
  method: string,
  address: Pick<S3Address, 'bucket' | 'key'>,
): void {
  const delegation = caller.kind === 'signed' ? caller.key.delegation : undefined;
  if (delegation?.kind !== 'application-credential' || !delegation.accessRules) return;
  const path = pathOf(caller, address);
  if (isAllowedByRules(delegation.accessRules, { service: SERVICE_TYPE, method, path })) return;
  throw new S3Error('AccessDenied', {
    message: `Access Denied: the access rules of the application credential do not allow ${method} ${path}.`,
  });
}

function pathOf(caller: Caller, { bucket, key }: Pick<S3Address, 'bucket' | 'key'>): string {
  if (bucket === undefined) return '/';
  const name = `/${projectPrefix(caller, bucket)}${bucket.name}`;
  return key === undefined ? name : `${name}/${key}`;
}

/** Tells a bucket of another project from the caller's own of the same name. */
function projectPrefix(caller: Caller, { projectId }: NamedBucket): string {
  const isOwn = caller.kind === 'signed' && projectId === caller.projectId;
  return projectId === undefined || isOwn ? '' : `${projectId}:`;
}
