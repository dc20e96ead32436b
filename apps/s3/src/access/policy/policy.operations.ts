/**
 * The policy of a bucket. Public source: Amazon S3 API reference, GetBucketPolicy, PutBucketPolicy and
 * DeleteBucketPolicy.
 */
import { Readable } from 'node:stream';
import { isPublicAcl } from '../../buckets/acl.js';
import { BucketRepository } from '../../buckets/bucket.repository.js';
import { NO_CONTENT, xmlAnswer, type S3Answer } from '../../http/s3-answer.js';
import { S3Error } from '../../http/s3-error.js';
import { Handles, type BucketCall, type Operation } from '../../operations/operation.js';
import { documentOf } from '../../operations/read-document.js';
import { ACTIONS } from '../decision.js';
import { isOwnerEnforced, publicAccessOf } from '../acl-request.js';
import { parsePolicy, policyOf } from './parse-policy.js';
import { isLike, partsOf, type Pattern } from './pattern.js';
import { malformedPolicy } from './policy-json.js';
import type { Policy, Statement } from './policy.js';
import { isPublicPolicy } from './public-policy.js';

@Handles('GetBucketPolicy')
export class GetBucketPolicy implements Operation<BucketCall> {
  /** @throws S3Error NoSuchBucketPolicy */
  run({ bucket }: BucketCall): Promise<S3Answer> {
    const { policy } = bucket.configurations;
    if (policy === undefined)
      throw new S3Error('NoSuchBucketPolicy', { details: { BucketName: bucket.name } });
    // Returned exactly as it was put.
    const body = Buffer.from(policy);
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
    return Promise.resolve({ headers, body: Readable.from([body]) });
  }
}

/** Bytes. */
const MAX_POLICY = 20 * 1024;

@Handles('PutBucketPolicy')
export class PutBucketPolicy implements Operation<BucketCall> {
  constructor(private readonly buckets: BucketRepository) {}

  /**
   * @throws S3Error MalformedPolicy, NoSuchBucket; AccessDenied for a public one where the public is
   * blocked; and what `documentOf` throws
   */
  async run(call: BucketCall): Promise<S3Answer> {
    const { ctx, bucket } = call;
    const text = await textIn(call);
    const policy = parsePolicy(text);
    requireScope(policy, bucket.name);
    if (publicAccessOf(bucket).blockPublicPolicy && isPublicPolicy(policy))
      throw new S3Error('AccessDenied', {
        message: `Access Denied: the public access block of ${bucket.name} refuses public policies.`,
      });
    if (await this.buckets.configure(ctx, bucket, 'policy', text)) return NO_CONTENT;
    throw new S3Error('NoSuchBucket', { details: { BucketName: bucket.name } });
  }
}

async function textIn(call: BucketCall): Promise<string> {
  const document = await documentOf(call);
  if (document.length > MAX_POLICY)
    throw malformedPolicy(
      `Policy exceeds the maximum allowed document size: it has ${document.length} bytes, and ${MAX_POLICY} are allowed`,
    );
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(document);
  } catch {
    throw malformedPolicy('The policy is not valid UTF-8');
  }
}

@Handles('DeleteBucketPolicy')
export class DeleteBucketPolicy implements Operation<BucketCall> {
  constructor(private readonly buckets: BucketRepository) {}

  async run({ ctx, bucket }: BucketCall): Promise<S3Answer> {
    await this.buckets.configure(ctx, bucket, 'policy', null);
    return NO_CONTENT;
  }
}

/**
 * Whether the public may do anything in a bucket, by its policy or by its ACL. Public source: Amazon
 * S3 API reference, GetBucketPolicyStatus.
 */
@Handles('GetBucketPolicyStatus')
export class GetBucketPolicyStatus implements Operation<BucketCall> {
  run({ bucket }: BucketCall): Promise<S3Answer> {
    const policy = policyOf(bucket);
    const { ignorePublicAcls, restrictPublicBuckets } = publicAccessOf(bucket);
    const byAcl = isPublicAcl(bucket.acl) && !ignorePublicAcls && !isOwnerEnforced(bucket);
    const byPolicy = policy !== undefined && isPublicPolicy(policy) && !restrictPublicBuckets;
    return Promise.resolve(xmlAnswer('PolicyStatus', { IsPublic: byAcl || byPolicy }));
  }
}

const SPELT = ACTIONS.map((action) => action.toLowerCase());
const NO_VARIABLES = (): undefined => undefined;

/**
 * Checks that a policy refers to its own bucket, and to existing actions and keys. Pure. Public
 * source: Amazon S3 user guide, "Policies and permissions in Amazon S3".
 * @throws S3Error MalformedPolicy
 */
export function requireScope({ statements }: Policy, bucketName: string): void {
  for (const statement of statements) {
    for (const { path } of statement.resources.items)
      if (!isOfBucket(path, bucketName))
        throw malformedPolicy(`Policy has invalid resource: ${path.text} is not of ${bucketName}`);
    requireActions(statement);
  }
}

/** Whether a pattern can match the bucket, or objects in it. */
function isOfBucket(path: Pattern, bucketName: string): boolean {
  const [bucket = path] = partsOf(path, '/', 2);
  return bucket.hasVariables || isLike(bucket, bucketName, NO_VARIABLES);
}

function requireActions({ actions }: Statement): void {
  for (const pattern of actions.items) {
    if (SPELT.some((action) => isLike(pattern, action, NO_VARIABLES))) continue;
    throw malformedPolicy(`Policy has invalid action: ${pattern.text}`);
  }
}
