/** The source of a copy. Public source: Amazon S3 API reference, CopyObject and UploadPartCopy. */
import { CONFIG } from '@cumulet/common/service/tokens';
import { Inject, Injectable } from '@nestjs/common';
import { requireRule, Access, requirePayer } from '../../access/access.js';
import type { Bucket } from '../../buckets/bucket.entity.js';
import type { S3Config } from '../../config.js';
import { decoded, ofPath, requireKey, type NamedBucket, headerOf } from '../../http/s3-request.js';
import { S3Error, invalidArgument } from '../../http/s3-error.js';
import { checkCopied, readConditionsOf } from '../../objects/conditions.js';
import { requireFound, requireVersionId, type FoundObject } from '../../objects/version-id.js';
import type { BucketCall } from '../../operations/operation.js';
import {
  bucketNameOf,
  noSuchBucket,
  TargetRepository,
} from '../../operations/target.repository.js';

export interface CopySourceName {
  readonly bucket: NamedBucket;
  readonly key: string;
  /** Undefined for the latest. */
  readonly versionId: string | undefined;
}

export interface CopySource {
  readonly bucket: Bucket;
  /** With inline bytes. */
  readonly object: FoundObject;
  /** As the request names it. */
  readonly versionId: string | undefined;
}

const HEADER = 'x-amz-copy-source';
/** Bytes of the largest source. */
const MAX_BYTES = 5 * 1024 ** 3;

/**
 * @param header `bucket/key?versionId=id`, percent-encoded, with or without a slash before it
 * @throws S3Error InvalidArgument, KeyTooLongError
 */
export function copySourceOf(header: string): CopySourceName {
  const [, path = '', version] = /^(.*?)(?:\?versionId=(.*))?$/s.exec(header) ?? [];
  const text = decoded(path).replace(/^\//, '');
  const versionId = version === undefined ? undefined : decoded(version);
  const at = text.indexOf('/');
  const key = text.slice(at + 1);
  if (at <= 0 || key === '')
    throw invalidArgument(
      HEADER,
      header,
      'Copy Source must mention the source bucket and key: sourcebucket/sourcekey',
    );
  requireKey(key);
  if (versionId !== undefined) requireVersionId(versionId);
  return { bucket: ofPath(text.slice(0, at)), key, versionId };
}

@Injectable()
export class CopySources {
  constructor(
    @Inject(CONFIG) private readonly config: S3Config,
    private readonly targets: TargetRepository,
    private readonly access: Access,
  ) {}

  /**
   * @returns the source that the request names, which its caller may read and whose conditions hold
   * @throws S3Error NoSuchBucket, NoSuchKey, NoSuchVersion, AccessDenied, PreconditionFailed,
   * InvalidArgument, InvalidRequest for a marker or for what is too large to be copied at once
   */
  async find(call: BucketCall): Promise<CopySource> {
    const { ctx, caller, request } = call;
    const { bucket: named, key, versionId } = copySourceOf(headerOf(request, HEADER) ?? '');
    requireRule(caller, 'GET', { bucket: named, key });
    const target = await this.targets.find(ctx, bucketNameOf(named, caller, this.config), {
      key,
      versionId,
      hasBytes: true,
    });
    if (!target) throw noSuchBucket(named.name);
    const { bucket } = target;
    requireExpectedOwner(call, bucket);
    requirePayer({ request, caller, bucket });
    const action = versionId === undefined ? 's3:GetObject' : 's3:GetObjectVersion';
    if (!this.access.isAllowed(caller, action, { ...target, key, request }))
      throw new S3Error('AccessDenied', {
        message: `Access Denied: the source of the copy, ${bucket.name}/${key}, may not be read.`,
      });
    if (versionId !== undefined && target.object?.isDeleteMarker)
      throw new S3Error('InvalidRequest', {
        message:
          'The source of a copy request may not specifically refer to a delete marker by version id.',
      });
    const object = requireFound(target.object, { key, versionId });
    checkCopied(object, readConditionsOf(request.headers, `${HEADER}-`));
    return { bucket, object, versionId };
  }
}

/** @throws S3Error AccessDenied if the bucket has another owner than the request names */
function requireExpectedOwner({ request }: BucketCall, { name, projectId }: Bucket): void {
  const expected = headerOf(request, 'x-amz-source-expected-bucket-owner');
  if (expected === undefined || expected === projectId) return;
  throw new S3Error('AccessDenied', {
    message: `Access Denied: the source bucket ${name} is not owned by ${expected}.`,
  });
}

/** @throws S3Error InvalidRequest */
export function requireCopyable({ size }: FoundObject): void {
  if (Number(size) <= MAX_BYTES) return;
  throw new S3Error('InvalidRequest', {
    message: `The specified copy source is larger than the maximum allowable size for a copy source: ${MAX_BYTES}`,
  });
}
