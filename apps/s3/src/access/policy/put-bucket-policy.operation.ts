/** Public source: Amazon S3 API reference, PutBucketPolicy. */
import { Injectable } from '@nestjs/common';
import { BucketRepository } from '../../buckets/bucket.repository.js';
import { documentOf } from '../../http/read-document.js';
import { NO_CONTENT, type S3Answer } from '../../http/s3-answer.js';
import { S3Error } from '../../http/s3-error.js';
import { Handles } from '../../operations/handles.js';
import type { BucketCall, Operation } from '../../operations/operation.js';
import { publicAccessOf } from '../public-access.js';
import { parsePolicy } from './parse-policy.js';
import { malformedPolicy } from './policy-json.js';
import { requireScope } from './policy-scope.js';
import { isPublicPolicy } from './public-policy.js';

/** Bytes. */
const MAX_POLICY = 20 * 1024;

@Injectable()
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
    throw malformedPolicy('The policy is no UTF-8');
  }
}
