/**
 * Delivers access logs, in one process at a time.
 *
 * Always holds: lines stay until they are delivered, their target is gone, or they are a day old. A
 * target that cannot take them keeps no other waiting.
 */
import { Readable } from 'node:stream';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { SweepEvery } from '@cumulet/common/service/background';
import { LOGGER } from '@cumulet/common/service/tokens';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Feature } from '@cumulet/common/service/feature';
import { fullControl } from '../buckets/acl.js';
import type { Bucket } from '../buckets/bucket.entity.js';
import type { S3Config } from '../config.js';
import { ContentWriter } from '../content/content-writer.js';
import { encryptionRequestOf } from '../content/encryption/encryption.js';
import type { Received } from '../content/received.js';
import { NO_PROPERTIES } from '../objects/version-id.js';
import { UNCONDITIONAL } from '../objects/conditions.js';
import { ObjectVersions } from '../objects/object-versions.js';
import { StorageQuotas } from '../usage/storage-quotas.js';
import { AccessLogBatchRepository, type Destination } from './access-log-batch.repository.js';
import { logKeyOf, type LogSource, AccessLogBatch } from './access-log-batch.entity.js';
import { LogTargets, requireFit } from './log-targets.js';
import { aclOfLogs, LOGGING, PutBucketLogging } from './logging.page.js';
import { operationsOf } from '../configurations/configuration.operations.js';
import { AccessLogRecorder } from './access-log-recorder.js';
import { AccessLogs } from './access-logs.js';

/** Approximate size of a log object, in bytes. */
const MAX_BYTES = 8 * 1024 ** 2;

/**
 * Makes objects of lines.
 *
 * Always holds: lines go as the object comes that has them, in one transaction: none is delivered
 * twice.
 */
@Injectable()
export class LogDelivery {
  constructor(
    private readonly batches: AccessLogBatchRepository,
    private readonly targets: LogTargets,
    private readonly content: ContentWriter,
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

const GIVEN_UP_SECONDS = 86_400;

@Injectable()
export class AccessLogsSweep {
  constructor(
    private readonly batches: AccessLogBatchRepository,
    private readonly delivery: LogDelivery,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @SweepEvery<S3Config>(({ accessLogSeconds }) => accessLogSeconds * 1000, 'access-logs')
  async run(
    ctx: RequestContext,
    stopping: AbortSignal = new AbortController().signal,
  ): Promise<void> {
    for (let last = ''; !stopping.aborted;) {
      const found = await this.batches.next(ctx, last);
      if (!found) break;
      last = found.destination;
      try {
        await this.delivery.deliver(ctx, found, stopping);
      } catch (error) {
        const { name: bucket, logging, projectId } = found.source;
        const fields = { err: error, bucket, target: logging.bucket, projectId };
        this.logger.warn(fields, 'access logs are not delivered yet');
      }
    }
    const batches = await this.batches.giveUp(ctx, GIVEN_UP_SECONDS);
    if (batches > 0)
      this.logger.warn({ batches }, 'access logs are dropped: nothing took them for a day');
  }
}

@Feature({
  entities: [AccessLogBatch],
  providers: [
    AccessLogBatchRepository,
    AccessLogRecorder,
    AccessLogs,
    AccessLogsSweep,
    LogDelivery,
    LogTargets,
    ...operationsOf(LOGGING),
    PutBucketLogging,
  ],
})
export class AccessLogsModule {}
