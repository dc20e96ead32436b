/**
 * Compares stored bytes with their recorded hashes, to find damage before a guest boots from them.
 *
 * Always holds: an image is only killed after two complete reads with wrong results. A store that
 * cannot be read, or lacks its mark, proves nothing. A single correct read revives a killed image.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { withFreeSessionLock } from '@cumulet/common/database/advisory-lock';
import { Metrics } from '@cumulet/common/observe/metrics';
import { SweepEvery } from '@cumulet/common/service/background';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import {
  SupersededError,
  transition,
  type TransitionOptions,
} from '@cumulet/common/states/transition';
import type { ByteStore, DataId } from '@cumulet/storage/stores/byte-store';
import { Pace } from '@cumulet/storage/stores/pace';
import { StoreClaims } from '@cumulet/storage/stores/store-claims';
import { DataMissingError, StoreUnavailableError } from '@cumulet/storage/stores/store.errors';
import type { ImagesConfig } from '../config.js';
import { DataHash } from '../hashing/data-hash.js';
import type { ImageId } from '../images/image.entity.js';
import { type ImageEvent, imageStates } from '../images/image.states.js';
import { IMAGE_STORE } from '../store/image-store.js';

export interface ScrubbedImage {
  readonly id: ImageId;
  readonly dataId: DataId;
  readonly size: number;
  readonly md5: string;
  readonly sha512: string;
  readonly isKilled: boolean;
  /** Whether it was deactivated before the damage. */
  readonly wasDeactivated: boolean;
}

/** Stored data never changes, but damaged data may be restored by a repair of the store. */
const STORED = `state IN ('active', 'deactivated', 'killed')`;

/** `$1` is the number of seconds between two checks. */
const DUE = `${STORED}
  AND COALESCE(scrubbed_at, created_at) <= now() - $1::double precision * interval '1 second'`;

/** SQL of the integrity scrub on `images`. */
export class ScrubRepository {
  /**
   * Images due for a check: first those never checked, then the longest unchecked.
   * @param seconds between two checks
   * @param except IDs to leave out
   */
  due(
    ctx: RequestContext,
    seconds: number,
    except: readonly ImageId[],
    limit: number,
  ): Promise<ScrubbedImage[]> {
    return ctx.manager.query(
      `SELECT id, data_id AS "dataId", size, checksum AS md5, hash_value AS sha512,
              state = 'killed' AS "isKilled",
              COALESCE(previous_state = 'deactivated', false) AS "wasDeactivated"
         FROM images
        WHERE ${DUE} AND NOT id = ANY($2::uuid[])
        ORDER BY scrubbed_at NULLS FIRST, id LIMIT $3`,
      [seconds, except, limit],
    );
  }

  async isDue(ctx: RequestContext, id: ImageId, seconds: number): Promise<boolean> {
    const rows: unknown[] = await ctx.manager.query(`SELECT FROM images WHERE ${DUE} AND id = $2`, [
      seconds,
      id,
    ]);
    return rows.length > 0;
  }

  async markScrubbed(ctx: RequestContext, { id, dataId }: ScrubbedImage): Promise<void> {
    await ctx.manager.query(
      'UPDATE images SET scrubbed_at = now() WHERE id = $1 AND data_id = $2',
      [id, dataId],
    );
  }

  /** @returns false if the image is gone, is being deleted, or is damaged already */
  damage(ctx: RequestContext, image: ScrubbedImage, reason: string): Promise<boolean> {
    return this.#moved(ctx, image, 'damage', { reason });
  }

  /** @returns false if the image is gone or is being deleted */
  recover(ctx: RequestContext, image: ScrubbedImage): Promise<boolean> {
    return this.#moved(ctx, image, image.wasDeactivated ? 'recoverDeactivated' : 'recoverActive');
  }

  async #moved(
    ctx: RequestContext,
    { id, dataId }: ScrubbedImage,
    event: ImageEvent,
    options: TransitionOptions = {},
  ): Promise<boolean> {
    try {
      await transition(ctx, imageStates, id, event, { ...options, only: { dataId } });
      return true;
    } catch (error) {
      if (error instanceof SupersededError) return false;
      throw error;
    }
  }
}

type Found = Pick<ScrubbedImage, 'size' | 'md5' | 'sha512'> | 'nothing';

const REASON = 'Its stored bytes do not match their checksum.';

/** Images fetched per query: at least the number of scrubbing processes. */
const CANDIDATES = 20;

@Injectable()
export class ScrubSweep {
  readonly #damaged: ReturnType<Metrics['counter']>;
  readonly #scrubbedBytes: ReturnType<Metrics['counter']>;

  constructor(
    private readonly images: ScrubRepository,
    @Inject(IMAGE_STORE) private readonly store: ByteStore,
    private readonly claims: StoreClaims,
    @Inject(CONFIG)
    private readonly config: Pick<ImagesConfig, 'scrubSeconds' | 'scrubBytesPerSecond'>,
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#damaged = metrics.counter(
      'images_damaged_total',
      'Images whose stored bytes did not match their checksum.',
    );
    this.#scrubbedBytes = metrics.counter(
      'images_scrubbed_bytes_total',
      'Bytes that were read to compare them with their checksum.',
    );
  }

  /**
   * Checks all due images in sequence. It runs in every worker process, each taking images that no
   * other is checking.
   */
  @SweepEvery(30_000, 'integrity-scrub', { local: true })
  async run(
    ctx: RequestContext,
    stopping: AbortSignal = new AbortController().signal,
  ): Promise<void> {
    if (this.config.scrubBytesPerSecond === 0) return;
    /** Images that others are checking, or that could not be read. */
    const left = new Set<ImageId>();
    for (;;) {
      const due = await this.images.due(ctx, this.config.scrubSeconds, [...left], CANDIDATES);
      if (due.length === 0) return;
      for (const image of due) {
        if (stopping.aborted) return;
        left.add(image.id);
        const isReachable = await this.#claimAndLook(ctx, image, stopping);
        if (!isReachable) return;
      }
    }
  }

  /** @returns false if the store is unreachable */
  async #claimAndLook(
    ctx: RequestContext,
    image: ScrubbedImage,
    stopping: AbortSignal,
  ): Promise<boolean> {
    try {
      await withFreeSessionLock(ctx.manager.dataSource, `cumulet:scrub:${image.id}`, () =>
        this.#look(ctx, image, stopping),
      );
      return true;
    } catch (error) {
      if (stopping.aborted) return true;
      this.logger.warn({ err: error, ...namesOf(image) }, 'could not scrub the data of an image');
      return !(error instanceof StoreUnavailableError);
    }
  }

  async #look(ctx: RequestContext, image: ScrubbedImage, stopping: AbortSignal): Promise<void> {
    if (!(await this.images.isDue(ctx, image.id, this.config.scrubSeconds))) return;
    const isWhole = isSame(image, await this.#read(image, stopping));
    if (isWhole && image.isKilled) return this.#recover(ctx, image);
    if (isWhole || image.isKilled) return this.images.markScrubbed(ctx, image);
    const found = await this.#read(image, stopping);
    if (isSame(image, found)) {
      this.logger.warn(namesOf(image), 'the data of an image failed one check and passed the next');
      return this.images.markScrubbed(ctx, image);
    }
    await this.claims.requireClaimed(ctx);
    // The data of an image deleted meanwhile is gone, not damaged.
    if (!(await this.images.damage(ctx, image, REASON))) return;
    this.#damaged.inc();
    const { size, sha512 } = image;
    this.logger.error(
      { ...namesOf(image), wanted: { size, sha512 }, found },
      'the stored data of an image is damaged',
    );
  }

  async #recover(ctx: RequestContext, image: ScrubbedImage): Promise<void> {
    if (!(await this.images.recover(ctx, image))) return;
    this.logger.warn(namesOf(image), 'the stored data of a damaged image is whole again');
  }

  async #read({ dataId }: ScrubbedImage, stopping: AbortSignal): Promise<Found> {
    const hash = new DataHash();
    let size = 0;
    try {
      const data = await this.store.open(dataId);
      const pace = new Pace(this.config.scrubBytesPerSecond);
      for await (const chunk of pace.over(data, stopping)) {
        size += chunk.length;
        this.#scrubbedBytes.inc(chunk.length);
        await hash.update(chunk);
      }
      return { size, ...(await hash.digest()) };
    } catch (error) {
      if (error instanceof DataMissingError) return 'nothing';
      throw error;
    } finally {
      hash.end();
    }
  }
}

function namesOf({ id, dataId }: ScrubbedImage): object {
  return { imageId: id, dataId };
}

function isSame(wanted: ScrubbedImage, found: Found): boolean {
  return (
    found !== 'nothing' &&
    found.size === wanted.size &&
    found.md5 === wanted.md5 &&
    found.sha512 === wanted.sha512
  );
}

@Feature({ providers: [ScrubSweep, ScrubRepository] })
export class ScrubModule {}
