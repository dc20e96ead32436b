/** The target bucket of logs, and whether it can take them. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { isStorable } from '@cumulet/common/database/storable';
import { isOwnerEnforced } from '../access/acl-request.js';
import type { Bucket, Logging } from '../buckets/bucket.entity.js';
import { encryptionRequestOf } from '../content/encryption/encryption.js';
import { S3Error } from '../http/s3-error.js';
import { TargetRepository } from '../operations/target.repository.js';

@Injectable()
export class LogTargets {
  constructor(private readonly targets: TargetRepository) {}

  /** @returns undefined if the project has no such bucket, or has one in another region */
  async find(
    ctx: RequestContext,
    { projectId, region }: Pick<Bucket, 'projectId' | 'region'>,
    { bucket: name }: Logging,
  ): Promise<Bucket | undefined> {
    const found = await this.#named(ctx, projectId, name);
    return found?.region === region ? found : undefined;
  }

  /**
   * @returns the bucket that logs of this one can go to
   * @throws S3Error InvalidTargetBucketForLogging, CrossLocationLoggingProhibited,
   * AccessControlListNotSupported
   */
  async require(ctx: RequestContext, bucket: Bucket, logging: Logging): Promise<Bucket> {
    const target = await this.#named(ctx, bucket.projectId, logging.bucket);
    if (!target) throw unfit(logging, 'does not exist in the project of the bucket that is logged');
    if (target.region !== bucket.region)
      throw new S3Error('CrossLocationLoggingProhibited', {
        message: `The bucket ${target.name} is in ${target.region}, and the one that is logged in ${bucket.region}.`,
        details: {
          SourceBucketLocation: bucket.region,
          TargetBucketLocation: target.region,
        },
      });
    requireFit(target, logging);
    return target;
  }

  async #named(
    ctx: RequestContext,
    projectId: Bucket['projectId'],
    name: string,
  ): Promise<Bucket | undefined> {
    return isStorable(name) ? this.targets.findBucket(ctx, { name, projectId }) : undefined;
  }
}

/**
 * Also when logs are delivered: the target may be configured otherwise by then.
 * @throws S3Error InvalidTargetBucketForLogging, AccessControlListNotSupported
 */
export function requireFit(target: Bucket, logging: Logging): void {
  if (target.objectLock && target.configurations.objectLock)
    throw unfit(logging, 'locks its objects by default');
  try {
    encryptionRequestOf({}, target);
  } catch (cause) {
    throw unfit(logging, 'encrypts its objects by default in a way that logs cannot be', cause);
  }
  if (logging.grants && isOwnerEnforced(target))
    throw new S3Error('AccessControlListNotSupported', {
      message: `TargetGrants cannot be used: the bucket ${target.name} does not allow ACLs.`,
    });
}

function unfit({ bucket }: Logging, why: string, cause?: unknown): S3Error {
  return new S3Error('InvalidTargetBucketForLogging', {
    message: `Logs cannot go to the bucket ${bucket}: it ${why}.`,
    details: { TargetBucket: bucket },
    cause,
  });
}
