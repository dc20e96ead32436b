import type { Sweep } from '@cumulet/common/jobs/sweep';
import type { Metrics } from '@cumulet/common/observe/metrics';
import type { Logger } from 'pino';
import type { ImagesConfig } from '../config.js';
import type { ImageStore } from '../store/image-store.js';
import { ImageScrub } from './image-scrub.js';
import { scrubMetrics } from './scrub-metrics.js';
import { ScrubRepository } from './scrub.repository.js';

export interface ScrubParts {
  readonly config: ImagesConfig;
  readonly store: ImageStore;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** In every process that works, unless it is switched off: each takes images that no other is at. */
export function scrubSweeps({ config, store, logger, metrics }: ScrubParts): Sweep[] {
  const { scrubSeconds: everySeconds, scrubBytesPerSecond: bytesPerSecond } = config;
  if (bytesPerSecond === 0) return [];
  const pace = { everySeconds, bytesPerSecond };
  const scrub = new ImageScrub(new ScrubRepository(), store, pace, scrubMetrics(metrics), logger);
  return [
    {
      name: 'integrity-scrub',
      everyMs: 30_000,
      local: true,
      run: (ctx, stopping = new AbortController().signal) => scrub.run(ctx, stopping),
    },
  ];
}
