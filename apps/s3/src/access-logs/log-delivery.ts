/**
 * Makes objects of lines.
 *
 * Always holds: lines go as the object comes that has them, in one transaction: none is delivered
 * twice.
 */
import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { LOGGER } from '@cumulet/common/service/tokens';
import type { Logger } from 'pino';
import { fullControl } from '../access/acl.js';
import type { Bucket } from '../buckets/bucket.entity.js';
import { ContentService } from '../content/content.service.js';
import { encryptionRequestOf } from '../content/encryption/encryption.js';
import type { Received } from '../content/received.js';
import { NO_PROPERTIES } from '../objects/object-properties.js';
import { ObjectVersions } from '../objects/object-versions.js';
import { UNCONDITIONAL } from '../objects/write-conditions.js';
import { StorageQuotas } from '../usage/storage-quotas.js';
import { AccessLogBatchRepository, type Destination } from './access-log-batch.repository.js';
import { logKeyOf, type LogSource } from './log-key.js';
import { LogTargets, requireFit } from './log-targets.js';
import { aclOfLogs } from './logging.page.js';

/** Of one object, about. */
const MAX_BYTES = 8 * 1024 ** 2;

@Injectable()
export class LogDelivery {
  constructor(
    private readonly batches: AccessLogBatchRepository,
    private readonly targets: LogTargets,
    private readonly content: ContentService,
    private readonly versions: ObjectVersions,
    private readonly quotas: StorageQuotas,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * All lines of a destination; without a bucket to take them they are dropped.
   * @throws S3Error InvalidTargetBucketForLogging and others, if they cannot be delivered yet
   */
  async deliver(
    ctx: RequestContext,
    { destination, source }: Destination,
    stopping: AbortSignal,
  ): Promise<void> {
    const { logging } = source;
    const target = await this.targets.find(ctx, source, logging);
    if (!target) {
      await this.batches.deleteAll(ctx, destination);
      const { name: bucket, projectId } = source;
      const fields = { bucket, target: logging.bucket, projectId };
      this.logger.warn(fields, 'access logs are dropped: their target bucket is gone');
      return;
    }
    requireFit(target, logging);
    for (let isAll = false; !isAll && !stopping.aborted;) {
      const found = await this.batches.oldest(ctx, destination, MAX_BYTES);
      const log = Buffer.from(found.map(({ lines }) => lines).join(''));
      if (log.length > 0) {
        const ids = found.map(({ id }) => id);
        await this.#write(ctx, target, source, log, ids);
      }
      isAll = log.length < MAX_BYTES;
    }
  }

  async #write(
    ctx: RequestContext,
    target: Bucket,
    source: LogSource,
    log: Buffer,
    ids: readonly string[],
  ): Promise<void> {
    const body = { length: log.length, open: () => Readable.from([log]), trailers: () => ({}) };
    const encryption = encryptionRequestOf({}, target);
    const asked = { checksum: undefined, contentMd5: undefined, encryption };
    await this.quotas.admitBytes(ctx, target.projectId, log.length);
    const received = await this.content.receive(ctx, body, asked);
    const added = { objects: 1, bytes: received.size };
    try {
      await this.quotas.within(ctx, target.projectId, added, (within) =>
        inTransaction(within, async (tx) => {
          if ((await this.batches.delete(tx, ids)) < ids.length)
            throw new Error('another process has delivered these lines');
          await this.#publish(tx, target, source, received);
        }),
      );
    } catch (error) {
      await this.content.drop(ctx, received);
      throw error;
    }
  }

  async #publish(
    tx: RequestContext,
    target: Bucket,
    source: LogSource,
    received: Received,
  ): Promise<void> {
    await this.content.keep(tx, received);
    const object = {
      ...NO_PROPERTIES,
      headers: { 'content-type': 'text/plain' },
      acl: aclOfLogs(source.logging, fullControl(target.projectId)),
      key: logKeyOf(source, new Date()),
      ownerId: target.projectId,
      content: { ...received, partCount: null },
    };
    await this.versions.publish(tx, target, object, UNCONDITIONAL);
  }
}
