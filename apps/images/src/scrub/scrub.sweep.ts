import type { RequestContext } from '@cumulet/common/context/request-context';
import { Metrics } from '@cumulet/common/observe/metrics';
import { SweepEvery } from '@cumulet/common/service/background';
import { Feature } from '@cumulet/common/service/feature';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import type { ImagesConfig } from '../config.js';
import { StoreClaims } from '../store/claim-store.js';
import { type ImageStore, IMAGE_STORE } from '../store/image-store.js';
import { ImageScrub } from './image-scrub.js';
import { scrubMetrics } from './scrub-metrics.js';
import { ScrubRepository } from './scrub.repository.js';

@Injectable()
export class ScrubSweep {
  readonly #scrub: ImageScrub | undefined;

  constructor(
    images: ScrubRepository,
    @Inject(IMAGE_STORE) store: ImageStore,
    claims: StoreClaims,
    @Inject(CONFIG) { scrubSeconds, scrubBytesPerSecond }: ImagesConfig,
    metrics: Metrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    if (scrubBytesPerSecond === 0) return;
    const pace = { everySeconds: scrubSeconds, bytesPerSecond: scrubBytesPerSecond };
    this.#scrub = new ImageScrub(images, store, claims, pace, scrubMetrics(metrics), logger);
  }

  /** In every process that works, unless it is switched off: each takes images that no other is at. */
  @SweepEvery(30_000, 'integrity-scrub', { local: true })
  async run(
    ctx: RequestContext,
    stopping: AbortSignal = new AbortController().signal,
  ): Promise<void> {
    await this.#scrub?.run(ctx, stopping);
  }
}

@Feature({ providers: [ScrubSweep, ScrubRepository] })
export class ScrubModule {}
