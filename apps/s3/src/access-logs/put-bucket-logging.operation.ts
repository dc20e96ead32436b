/** Says where the access logs of a bucket go, or that none are kept. Public source: Amazon S3 API reference, "PutBucketLogging". */
import { Injectable } from '@nestjs/common';
import { fullControl } from '../access/acl.js';
import { AclRules } from '../access/acl-rules.js';
import { BucketRepository } from '../buckets/bucket.repository.js';
import { goneError } from '../configurations/configuration.operations.js';
import { xmlOf } from '../http/read-document.js';
import { requireKey } from '../http/s3-address.js';
import type { S3Answer } from '../http/s3-answer.js';
import { Handles } from '../operations/handles.js';
import type { BucketCall, Operation } from '../operations/operation.js';
import { dayOf, logKeyOf } from './log-key.js';
import { LogTargets } from './log-targets.js';
import type { Logging } from './logging.js';
import { aclOfLogs, LOGGING } from './logging.page.js';

@Injectable()
@Handles('PutBucketLogging')
export class PutBucketLogging implements Operation<BucketCall> {
  constructor(
    private readonly buckets: BucketRepository,
    private readonly targets: LogTargets,
    private readonly aclRules: AclRules,
  ) {}

  /**
   * @throws S3Error MalformedXML, MalformedACLError, InvalidTargetBucketForLogging,
   * CrossLocationLoggingProhibited, KeyTooLongError, AccessControlListNotSupported,
   * InvalidArgument for a grantee that there is not, AccessDenied for the public where that is blocked
   */
  async run(call: BucketCall): Promise<S3Answer> {
    const { ctx, bucket } = call;
    const logging = LOGGING.parse(await xmlOf(call, LOGGING.root));
    if (logging) await this.#require(call, logging);
    if (!(await this.buckets.configure(ctx, bucket, 'logging', logging))) throw goneError(bucket);
    return {};
  }

  async #require({ ctx, bucket, caller }: BucketCall, logging: Logging): Promise<void> {
    const target = await this.targets.require(ctx, bucket, logging);
    const now = new Date();
    const { projectId, region, name } = bucket;
    requireKey(logKeyOf({ projectId, region, name, logging, day: dayOf(now) }, now));
    await this.aclRules.require(target, aclOfLogs(logging, fullControl(target.projectId)), caller);
  }
}
