/** Operations on buckets as such: list, create, head, location, versioning, delete. */
import { Feature } from '@cumulet/common/service/feature';
import { inTransaction } from '@cumulet/common/database/transaction';
import { violatesForeignKey } from '@cumulet/common/database/violations';
import { Bucket, type Versioning } from '../buckets/bucket.entity.js';
import { BucketRepository, type BucketsAsked } from '../buckets/bucket.repository.js';
import { xmlAnswer, type S3Answer, NO_CONTENT } from '../http/s3-answer.js';
import { S3Error, invalidArgument } from '../http/s3-error.js';
import { malformed, type XmlElement, type XmlTree } from '../http/xml.js';
import { Handles, type BucketCall, type Operation, type S3Call } from '../operations/operation.js';
import { xmlOf } from '../operations/read-document.js';
import { StorageQuotas } from '../usage/storage-quotas.js';
import { UsageRepository } from '../usage/usage.repository.js';
import { CreateBucket, FIRST_REGION } from './create-bucket.operation.js';
import { ownerTree } from '../access/acl-document.js';
import type { S3Query } from '../http/s3-request.js';
import { nameOfToken, numberOf, tokenOf } from '../operations/list-parameters.js';

const MAX_BUCKETS = 10_000;

@Handles('ListBuckets')
export class ListBuckets implements Operation<S3Call> {
  constructor(private readonly buckets: BucketRepository) {}

  /** Anonymous callers have none. @throws S3Error InvalidArgument */
  async run({ ctx, caller, request: { query } }: S3Call): Promise<S3Answer> {
    const asked = askedOf(query);
    const { prefix, limit } = asked;
    if (caller.kind === 'anonymous') return answerOf('anonymous', [], { Prefix: undefined });
    const found = await this.buckets.list(ctx, ctx.projectId, { ...asked, limit: limit + 1 });
    const page = found.slice(0, limit);
    const next = found.length > limit ? page.at(-1) : undefined;
    return answerOf(caller.projectId, page, {
      ContinuationToken: next && tokenOf(next.name),
      Prefix: prefix === '' ? undefined : prefix,
    });
  }
}

function askedOf(query: S3Query): BucketsAsked {
  const limit = numberOf(query, 'max-buckets') ?? MAX_BUCKETS;
  if (limit < 1 || limit > MAX_BUCKETS)
    throw invalidArgument(
      'max-buckets',
      limit,
      `Argument max-buckets must be an integer between 1 and ${MAX_BUCKETS}`,
    );
  const region = query.get('bucket-region') ?? '';
  return {
    prefix: query.get('prefix') ?? '',
    after: nameOfToken(query.get('continuation-token') ?? '') ?? '',
    region: region === '' ? undefined : region,
    limit,
  };
}

function answerOf(
  owner: string,
  buckets: readonly Bucket[],
  paging: Readonly<Record<string, XmlTree>>,
): S3Answer {
  return xmlAnswer('ListAllMyBucketsResult', {
    Owner: ownerTree(owner),
    Buckets: {
      Bucket: buckets.map(({ name, createdAt, region }) => ({
        Name: name,
        CreationDate: createdAt,
        BucketRegion: region,
      })),
    },
    ...paging,
  });
}

@Handles('DeleteBucket')
export class DeleteBucket implements Operation<BucketCall> {
  constructor(private readonly buckets: BucketRepository) {}

  /**
   * Ends its uploads.
   * @throws S3Error BucketNotEmpty, also for delete markers and old versions; OperationAborted
   */
  async run({ ctx, bucket }: BucketCall): Promise<S3Answer> {
    try {
      await inTransaction(ctx, async (tx) => {
        if (!(await this.buckets.delete(tx, bucket))) throw notEmpty(bucket);
      });
    } catch (error) {
      if (!violatesForeignKey(error, 'uploads_bucket_id_fkey')) throw error;
      throw new S3Error('OperationAborted', {
        message: `A multipart upload was started in the bucket ${bucket.name} while it was deleted. Try again.`,
      });
    }
    return NO_CONTENT;
  }
}

function notEmpty({ name, versioning }: Bucket): S3Error {
  const what = versioning === 'off' ? '' : ' You must delete all versions in the bucket.';
  return new S3Error('BucketNotEmpty', {
    message: `The bucket you tried to delete is not empty.${what}`,
    details: { BucketName: name },
  });
}

/**
 * Whether there is a bucket, and where. Public source: Amazon S3 API reference, HeadBucket; of
 * `read-stats`, Ceph's S3 API, "Bucket operations".
 */
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

  /** Shown to the owner alone. A quota of -1 means unlimited. */
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

@Handles('GetBucketLocation')
export class GetBucketLocation implements Operation<BucketCall> {
  run({ bucket: { region } }: BucketCall): Promise<S3Answer> {
    return Promise.resolve(xmlAnswer('LocationConstraint', region === FIRST_REGION ? '' : region));
  }
}

const STATUS: Readonly<Record<Versioning, string | undefined>> = {
  off: undefined,
  enabled: 'Enabled',
  suspended: 'Suspended',
};

@Handles('GetBucketVersioning')
export class GetBucketVersioning implements Operation<BucketCall> {
  run({ bucket }: BucketCall): Promise<S3Answer> {
    const tree = { Status: STATUS[bucket.versioning] };
    return Promise.resolve(xmlAnswer('VersioningConfiguration', tree));
  }
}

const VERSIONING = { Enabled: 'enabled', Suspended: 'suspended' } as const;

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
