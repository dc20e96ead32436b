/**
 * Whether there is a bucket, and where. Public source: Amazon S3 API reference, HeadBucket; of
 * `read-stats`, Ceph's S3 API, "Bucket operations".
 */
import { Injectable } from '@nestjs/common';
import type { S3Answer } from '../http/s3-answer.js';
import { Handles } from '../operations/handles.js';
import type { BucketCall, Operation } from '../operations/operation.js';
import { StorageQuotas } from '../usage/storage-quotas.js';
import { UsageRepository } from '../usage/usage.repository.js';

@Injectable()
@Handles('HeadBucket')
export class HeadBucket implements Operation<BucketCall> {
  constructor(
    private readonly usage: UsageRepository,
    private readonly quotas: StorageQuotas,
  ) {}

  async run(call: BucketCall): Promise<S3Answer> {
    const { bucket, caller, request } = call;
    const isOwn = caller.kind === 'signed' && caller.projectId === bucket.projectId;
    const asksForUsage = isOwn && request.query.get('read-stats') === 'true';
    const headers = {
      'x-amz-bucket-region': bucket.region,
      'x-amz-access-point-alias': 'false',
      ...(asksForUsage ? await this.#usageOf(call) : {}),
    };
    return { headers };
  }

  /** For its owner alone. A quota of -1 has no limit. */
  async #usageOf({ ctx, bucket }: BucketCall): Promise<Record<string, string>> {
    const { objects, bytes } = await this.usage.ofBucket(ctx, bucket.id);
    const limits = await this.quotas.limits(ctx, bucket.projectId);
    return {
      'x-rgw-object-count': String(objects),
      'x-rgw-bytes-used': String(bytes),
      'x-rgw-quota-max-buckets': String(limits.s3_buckets),
    };
  }
}
