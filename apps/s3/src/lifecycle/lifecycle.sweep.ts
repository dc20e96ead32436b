/**
 * Follows the lifecycle rules of all buckets: once a day, at midnight UTC, and when they are set.
 *
 * Always holds: what a rule removes goes the way of what clients remove, one by one, and only if it
 * is still what the rule was for. A locked version stays. A sweep that ends early begins anew.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SweepEvery } from '@cumulet/common/service/background';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Bucket } from '../buckets/bucket.entity.js';
import { dueBefore, type Expiration, type LifecycleRule } from '../buckets/lifecycle-rules.js';
import type { S3Config } from '../config.js';
import { S3Error } from '../http/s3-error.js';
import { UploadRepository } from '../multipart/upload.repository.js';
import { UNCONDITIONAL } from '../objects/conditions.js';
import { ObjectVersions } from '../objects/object-versions.js';
import { LifecycleRun } from './lifecycle-run.entity.js';
import { LifecycleRepository, type DueVersion, type Page } from './lifecycle.repository.js';

const PAGE = 500;
/** Errors of versions that a lock keeps, or that somebody else changed: they are skipped. */
const LEFT = ['PreconditionFailed', 'NoSuchKey', 'AccessDenied'];

type What = 'object' | 'noncurrent' | 'marker';
type Find = (page: Page) => Promise<DueVersion[]>;

/**
 * Applies one rule to one bucket. Public source: Amazon S3 user guide, "Lifecycle configuration
 * elements".
 */
@Injectable()
export class RuleFollower {
  readonly #dayMs: number;

  constructor(
    private readonly lifecycles: LifecycleRepository,
    private readonly versions: ObjectVersions,
    private readonly uploads: UploadRepository,
    @Inject(CONFIG) { lifecycleDaySeconds }: Pick<S3Config, 'lifecycleDaySeconds'>,
  ) {
    this.#dayMs = lifecycleDaySeconds * 1000;
  }

  /** @param now the end of the last day; everything due by then is done */
  async follow(
    ctx: RequestContext,
    bucket: Bucket,
    { filter, expiration, noncurrent, abortUploadsAfterDays }: LifecycleRule,
    now: Date,
    stopping: AbortSignal,
  ): Promise<void> {
    const page = { bucketId: bucket.id, filter, after: Buffer.alloc(0), limit: PAGE };
    const aged = (days: number): Page => ({ ...page, before: dueBefore(now, days, this.#dayMs) });
    if (noncurrent) {
      const find: Find = (one) =>
        this.lifecycles.noncurrentVersions(ctx, one, noncurrent.kept ?? 0);
      await this.#removeAll(ctx, bucket, aged(noncurrent.days), find, 'noncurrent', stopping);
    }
    if (expiration) {
      const before = beforeOf(expiration, now, this.#dayMs);
      if (before) await this.#expire(ctx, bucket, { ...page, before }, expiration, stopping);
    }
    if (abortUploadsAfterDays !== undefined)
      await this.#abort(ctx, bucket, aged(abortUploadsAfterDays), stopping);
  }

  async #expire(
    ctx: RequestContext,
    bucket: Bucket,
    page: Page,
    { kind }: Expiration,
    stopping: AbortSignal,
  ): Promise<void> {
    if (kind !== 'delete-markers') {
      const find: Find = (one) => this.lifecycles.currentVersions(ctx, one);
      await this.#removeAll(ctx, bucket, page, find, 'object', stopping);
    }
    if (bucket.versioning === 'off') return;
    const markers: Find = (one) => this.lifecycles.loneMarkers(ctx, one);
    await this.#removeAll(ctx, bucket, page, markers, 'marker', stopping);
  }

  async #removeAll(
    ctx: RequestContext,
    bucket: Bucket,
    first: Page,
    find: Find,
    what: What,
    stopping: AbortSignal,
  ): Promise<void> {
    for (let page = first; ;) {
      const found = await find(page);
      for (const version of found) {
        if (stopping.aborted) return;
        await this.#remove(ctx, bucket, version, what);
      }
      const last = found.at(-1);
      if (!last || found.length < page.limit) return;
      page = { ...page, after: last.key };
    }
  }

  async #remove(
    ctx: RequestContext,
    bucket: Bucket,
    { key, versionId, modifiedAt }: DueVersion,
    what: What,
  ): Promise<void> {
    const options = {
      conditions:
        what === 'object' ? { ifMatchLastModifiedTime: secondsOf(modifiedAt) } : UNCONDITIONAL,
      bypassGovernance: false,
      isExpiration: true,
      onlyNoncurrent: what === 'noncurrent',
    };
    const id = what === 'object' ? undefined : versionId;
    try {
      await this.versions.remove(ctx, bucket, key.toString(), id, options);
    } catch (error) {
      if (!(error instanceof S3Error) || !LEFT.includes(error.code)) throw error;
    }
  }

  async #abort(
    ctx: RequestContext,
    bucket: Bucket,
    page: Page,
    stopping: AbortSignal,
  ): Promise<void> {
    for (;;) {
      const found = await this.lifecycles.dueUploads(ctx, page);
      for (const { id, key } of found) {
        if (stopping.aborted) return;
        await this.uploads.delete(ctx, { bucketId: bucket.id, key: key.toString(), id });
      }
      if (found.length < page.limit) return;
    }
  }
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

/** Versions this old are due; undefined if none are yet. */
function beforeOf(expiration: Expiration, now: Date, dayMs: number): Date | undefined {
  switch (expiration.kind) {
    case 'days':
      return dueBefore(now, expiration.days, dayMs);
    case 'date':
      return new Date(expiration.date) <= now ? now : undefined;
    case 'delete-markers':
      return now;
  }
}

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
      this.logger.error(
        { err: error, bucketId: bucket.id },
        'lifecycle rules could not be applied',
      );
      return false;
    }
  }
}

@Feature({
  entities: [LifecycleRun],
  providers: [LifecycleRepository, LifecycleSweep, RuleFollower],
})
export class LifecycleModule {}
