/**
 * Follows the lifecycle rules of all buckets: once a day, at midnight UTC, and when they are set.
 *
 * Always holds: what a rule removes goes the way of what clients remove, one by one, and only if it
 * is still what the rule was for. A locked version stays. A sweep that ends early begins anew.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import type { Logger } from 'pino';
import type { Bucket } from '../buckets/bucket.entity.js';
import type { S3Config } from '../config.js';
import { dueBefore } from './expiration-time.js';
import { LifecycleRepository } from './lifecycle.repository.js';
import { RuleFollower } from './rule-follower.js';

const BUCKETS_AT_ONCE = 100;
const MAX_PAUSE_MS = 900_000;

@Injectable()
export class LifecycleSweep {
  readonly #dayMs: number;

  constructor(
    private readonly lifecycles: LifecycleRepository,
    private readonly follower: RuleFollower,
    @Inject(CONFIG) { lifecycleDaySeconds }: Pick<S3Config, 'lifecycleDaySeconds'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#dayMs = lifecycleDaySeconds * 1000;
  }

  @SweepEvery<S3Config>(
    ({ lifecycleDaySeconds }) => Math.min(lifecycleDaySeconds * 250, MAX_PAUSE_MS),
    'lifecycle',
  )
  async run(
    ctx: RequestContext,
    stopping: AbortSignal = new AbortController().signal,
  ): Promise<void> {
    const until = dueBefore(new Date(), 0, this.#dayMs);
    for (;;) {
      const due = await this.lifecycles.dueBuckets(ctx, until, BUCKETS_AT_ONCE);
      let followed = 0;
      for (const bucket of due) {
        if (stopping.aborted) return;
        if (await this.#follow(ctx, bucket, until, stopping)) followed += 1;
      }
      // Those that failed are tried again by the next run.
      if (followed === 0) return;
    }
  }

  async #follow(
    ctx: RequestContext,
    bucket: Bucket,
    until: Date,
    stopping: AbortSignal,
  ): Promise<boolean> {
    try {
      for (const rule of bucket.configurations.lifecycle ?? [])
        if (rule.isEnabled) await this.follower.follow(ctx, bucket, rule, until, stopping);
      if (stopping.aborted) return false;
      await this.lifecycles.finish(ctx, bucket, until);
      return true;
    } catch (error) {
      this.logger.error({ err: error, bucketId: bucket.id }, 'lifecycle rules were not followed');
      return false;
    }
  }
}
