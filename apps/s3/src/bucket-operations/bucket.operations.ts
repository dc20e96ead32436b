/** What a bucket is, where it is, and whether it keeps versions. */
import { Feature } from '@cumulet/common/service/feature';
import { Injectable } from '@nestjs/common';
import { Bucket, type Versioning } from '../buckets/bucket.entity.js';
import { BucketRepository } from '../buckets/bucket.repository.js';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import { malformed, type XmlElement } from '../http/xml.js';
import { Handles, type BucketCall, type Operation } from '../operations/operation.js';
import { xmlOf } from '../operations/read-document.js';
import { StorageQuotas } from '../usage/storage-quotas.js';
import { UsageRepository } from '../usage/usage.repository.js';
import { CreateBucket, FIRST_REGION } from './create-bucket.operation.js';
import { DeleteBucket } from './delete-bucket.operation.js';
import { ListBuckets } from './list-buckets.operation.js';

/**
 * Whether there is a bucket, and where. Public source: Amazon S3 API reference, HeadBucket; of
 * `read-stats`, Ceph's S3 API, "Bucket operations".
 */
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

/** Where a bucket is. Public source: Amazon S3 API reference, GetBucketLocation. */
@Injectable()
@Handles('GetBucketLocation')
export class GetBucketLocation implements Operation<BucketCall> {
  run({ bucket: { region } }: BucketCall): Promise<S3Answer> {
    return Promise.resolve(xmlAnswer('LocationConstraint', region === FIRST_REGION ? '' : region));
  }
}

/** A bucket that has never kept versions says nothing. */
const STATUS: Readonly<Record<Versioning, string | undefined>> = {
  off: undefined,
  enabled: 'Enabled',
  suspended: 'Suspended',
};

/** Public source: Amazon S3 API reference, GetBucketVersioning. */
@Injectable()
@Handles('GetBucketVersioning')
export class GetBucketVersioning implements Operation<BucketCall> {
  run({ bucket }: BucketCall): Promise<S3Answer> {
    const tree = { Status: STATUS[bucket.versioning] };
    return Promise.resolve(xmlAnswer('VersioningConfiguration', tree));
  }
}

const VERSIONING = { Enabled: 'enabled', Suspended: 'suspended' } as const;

/** Public source: Amazon S3 API reference, PutBucketVersioning. */
@Injectable()
@Handles('PutBucketVersioning')
export class PutBucketVersioning implements Operation<BucketCall> {
  constructor(private readonly buckets: BucketRepository) {}

  /**
   * @throws S3Error InvalidBucketState where objects can be locked, MalformedXML,
   * IllegalVersioningConfigurationException, MissingRequestBodyError, NotImplemented; OperationAborted
   * if the bucket is deleted meanwhile, or made to lock objects
   */
  async run(call: BucketCall): Promise<S3Answer> {
    const { ctx, bucket } = call;
    const versioning = versioningOf(await xmlOf(call, 'VersioningConfiguration'));
    if (await this.buckets.setVersioning(ctx, bucket, versioning)) return {};
    if (!bucket.objectLock) throw new S3Error('OperationAborted');
    throw new S3Error('InvalidBucketState', {
      message:
        'An Object Lock configuration is present on this bucket, so the versioning state cannot be changed.',
    });
  }
}

function versioningOf(document: XmlElement): 'enabled' | 'suspended' {
  const deletion = document.child('MfaDelete')?.text.trim();
  if (deletion === 'Enabled')
    throw new S3Error('NotImplemented', {
      message: 'MFA delete is not implemented: users have no devices for it.',
    });
  if (deletion !== undefined && deletion !== 'Disabled')
    throw malformed(`MfaDelete is ${deletion}, which is neither Enabled nor Disabled.`);
  const status = document.child('Status')?.text.trim();
  if (status === undefined)
    throw new S3Error('IllegalVersioningConfigurationException', {
      message: 'The versioning configuration has no Status.',
    });
  if (status === 'Enabled' || status === 'Suspended') return VERSIONING[status];
  throw malformed(`Status is ${status}, which is neither Enabled nor Suspended.`);
}

const operations = [
  CreateBucket,
  DeleteBucket,
  GetBucketLocation,
  GetBucketVersioning,
  HeadBucket,
  ListBuckets,
  PutBucketVersioning,
];

@Feature({ entities: [Bucket], providers: [BucketRepository, ...operations] })
export class BucketsModule {}
