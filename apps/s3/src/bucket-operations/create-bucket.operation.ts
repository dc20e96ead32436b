/** Creates buckets. Public source: Amazon S3 API reference, "CreateBucket". */
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Inject } from '@nestjs/common';
import { aclOf } from '../access/acl-request.js';
import { BucketRepository, type NewBucket } from '../buckets/bucket.repository.js';
import type { Configurations, ObjectOwnership } from '../buckets/bucket.entity.js';
import { MAX_BUCKET_TAGS, tagListOf } from '../buckets/tags.js';
import type { S3Config } from '../config.js';
import type { S3Answer } from '../http/s3-answer.js';
import { S3Error, invalidArgument } from '../http/s3-error.js';
import { headerOf, type S3Request } from '../http/s3-request.js';
import type { XmlElement } from '../http/xml.js';
import { Handles, type Operation, type S3Call } from '../operations/operation.js';
import { optionalXmlOf } from '../operations/read-document.js';
import { StorageQuotas } from '../usage/storage-quotas.js';

@Handles('CreateBucket')
export class CreateBucket implements Operation<S3Call> {
  constructor(
    @Inject(CONFIG) private readonly config: S3Config,
    private readonly buckets: BucketRepository,
    private readonly quotas: StorageQuotas,
  ) {}

  /**
   * @throws S3Error InvalidBucketName, BucketAlreadyExists, BucketAlreadyOwnedByYou, and what
   * `newBucketOf` throws
   */
  async run(call: S3Call): Promise<S3Answer> {
    const { ctx, caller, request } = call;
    const { name = '', projectId } = request.address.bucket ?? {};
    if (caller.kind === 'anonymous' || (projectId ?? caller.projectId) !== caller.projectId)
      throw new S3Error('AccessDenied');
    requireBucketName(name);
    const named = { name, projectId: asId<ProjectId>(caller.projectId) };
    const bucket = await newBucketOf(call, named, this.config.region);
    await inTransaction(ctx, (tx) => this.#create(tx, bucket));
    return { headers: { location: `/${name}` } };
  }

  async #create(tx: RequestContext, bucket: NewBucket): Promise<void> {
    const { name, projectId } = bucket;
    if (this.config.namespace === 'global') {
      const taken = await this.buckets.claimName(tx, name);
      if (taken && taken.projectId !== projectId) throw alreadyThere('BucketAlreadyExists', name);
      // Amazon lets an owner create a bucket of this region again, without effect.
      if (taken?.region === FIRST_REGION) return;
      if (taken) throw alreadyThere('BucketAlreadyOwnedByYou', name);
    }
    await this.#admit(tx, bucket);
    if (!(await this.buckets.create(tx, bucket))) throw alreadyThere('BucketAlreadyExists', name);
  }

  /** An existing bucket is reported before an exhausted quota. */
  async #admit(tx: RequestContext, bucket: NewBucket): Promise<void> {
    try {
      await this.quotas.admitBucket(tx, bucket.projectId);
    } catch (error) {
      if (!(await this.buckets.has(tx, bucket))) throw error;
      throw alreadyThere('BucketAlreadyExists', bucket.name);
    }
  }
}

function alreadyThere(
  code: 'BucketAlreadyExists' | 'BucketAlreadyOwnedByYou',
  name: string,
): S3Error {
  return new S3Error(code, { details: { BucketName: name } });
}

const ROOT = 'CreateBucketConfiguration';
const OBJECT_LOCK = 'x-amz-bucket-object-lock-enabled';

/**
 * The new bucket that a request asks for.
 * @param region of a bucket whose creator names none
 * @throws S3Error InvalidArgument, MalformedXML, InvalidLocationConstraint, InvalidTag,
 * NotImplemented
 */
async function newBucketOf(
  call: Pick<S3Call, 'request' | 'body'>,
  { name, projectId }: { readonly name: string; readonly projectId: ProjectId },
  region: string,
): Promise<NewBucket> {
  const { headers } = call.request;
  const document = await optionalXmlOf(call, ROOT);
  requireGeneralPurpose(document);
  const ownership = headers['x-amz-object-ownership'] as ObjectOwnership | undefined;
  return {
    projectId,
    name,
    region: regionOf(document?.child('LocationConstraint')?.text.trim() ?? '') ?? region,
    objectLock: flagOf(call.request, OBJECT_LOCK),
    acl: aclOf(headers, projectId, projectId),
    configurations: { ...(ownership && { ownership }), ...taggingOf(document) },
  };
}

/** Elements of directory buckets. */
function requireGeneralPurpose(document: XmlElement | undefined): void {
  const other = document?.names.find((one) => one === 'Bucket' || one === 'Location');
  if (other === undefined) return;
  throw new S3Error('NotImplemented', {
    message: `${ROOT} has the element ${other}: directory buckets are not implemented.`,
  });
}

function taggingOf(document: XmlElement | undefined): Pick<Configurations, 'tagging'> {
  const list = document?.child('Tags');
  const tagging = list ? tagListOf(list, MAX_BUCKET_TAGS) : {};
  return Object.keys(tagging).length === 0 ? {} : { tagging };
}

/** @throws S3Error InvalidArgument */
function flagOf(request: S3Request, name: string): boolean {
  const value = headerOf(request, name) ?? 'false';
  const flag = value.toLowerCase();
  if (flag === 'true' || flag === 'false') return flag === 'true';
  throw invalidArgument(name, value, `The header ${name} must be true or false.`);
}

/** The region that answers leave out. */
export const FIRST_REGION = 'us-east-1';
const REGION = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** The former name of a region. */
const RENAMED: ReadonlyMap<string, string> = new Map([['EU', 'eu-west-1']]);

/**
 * The regions of buckets. They are names: all buckets are in one place. Pure.
 * @param constraint where a client wants a bucket to be
 * @returns undefined if it does not say. @throws S3Error InvalidLocationConstraint
 */
function regionOf(constraint: string): string | undefined {
  if (constraint === '') return undefined;
  const region = RENAMED.get(constraint) ?? constraint;
  if (REGION.test(region)) return region;
  throw new S3Error('InvalidLocationConstraint', {
    message: `The specified location constraint is not valid: ${constraint}.`,
    details: { LocationConstraint: constraint },
  });
}

const MIN_LENGTH = 3;
const MAX_LENGTH = 63;
/** Labels of a host name: letters, digits and, between them, hyphens. */
const LABELS = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
const ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;
/** Prefixes that Amazon reserves. */
const PREFIXES = ['xn--', 'sthree-', 'amzn-s3-demo-'];
const SUFFIXES = ['-s3alias', '--ol-s3', '.mrap', '--x-s3', '--table-s3'];

/**
 * Rules for the names of buckets. Public source: Amazon S3 user guide, "General purpose bucket naming
 * rules". Pure.
 * @throws S3Error InvalidBucketName, with the rule that it breaks
 */
export function requireBucketName(name: string): void {
  const rule = brokenRule(name);
  if (rule === undefined) return;
  throw new S3Error('InvalidBucketName', {
    message: `The specified bucket is not valid: its name ${rule}.`,
    details: { BucketName: name },
  });
}

function brokenRule(name: string): string | undefined {
  const prefix = PREFIXES.find((one) => name.startsWith(one));
  const suffix = SUFFIXES.find((one) => name.endsWith(one));
  if (name.length < MIN_LENGTH || name.length > MAX_LENGTH)
    return `must have between ${MIN_LENGTH} and ${MAX_LENGTH} characters`;
  if (!LABELS.test(name))
    return 'must consist of labels with dots between them, each of lower-case letters, digits and hyphens, with a letter or a digit at both ends';
  if (ADDRESS.test(name)) return 'must not be formatted as an IP address';
  if (prefix !== undefined) return `must not begin with ${prefix}`;
  if (suffix !== undefined) return `must not end with ${suffix}`;
  return undefined;
}
