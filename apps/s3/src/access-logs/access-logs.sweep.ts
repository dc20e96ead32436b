/**
 * Delivers access logs, in one process at a time.
 *
 * Always holds: lines stay until they are delivered, their target is gone, or they are a day old. A
 * target that cannot take them keeps no other waiting.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SweepEvery } from '@cumulet/common/service/background';
import { LOGGER } from '@cumulet/common/service/tokens';
import type { Logger } from 'pino';
import type { S3Config } from '../config.js';
import { AccessLogBatchRepository } from './access-log-batch.repository.js';
import { LogDelivery } from './log-delivery.js';

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
