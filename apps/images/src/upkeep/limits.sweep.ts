/**
 * Brings the limits of images from identity, where administrators set them, into the service's own
 * table, where claims read them. So no request waits for identity, and while identity is away the
 * limits that are known hold. Public source: Glance administration guide, "Per-Tenant Quotas".
 */
import {
  UnifiedLimitsClient,
  type LimitsByResource,
} from '@cumulet/clients/identity/unified-limits-client';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { UnavailableError } from '@cumulet/common/errors/domain-error';
import { ALL_PROJECTS } from '@cumulet/common/quotas/quota-limit.entity';
import { SweepEvery } from '@cumulet/common/service/background';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ImagesConfig } from '../config.js';
import { IMAGE_QUOTA_NAMES, ImageQuotas, UNITS, type ImageLimits } from '../images/image-quotas.js';

export type UnifiedLimits = Pick<UnifiedLimitsClient, 'read'>;

/** Tests replace it. */
export const UNIFIED_LIMITS = Symbol('unified limits');

/** How long a change of a limit takes to hold, at most. */
const EVERY_MS = 15_000;

@Injectable()
export class LimitsSweep {
  constructor(
    @Inject(UNIFIED_LIMITS) private readonly limits: UnifiedLimits,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly quotas: ImageQuotas,
  ) {}

  @SweepEvery(EVERY_MS, 'unified-limits')
  async run(ctx: RequestContext): Promise<void> {
    try {
      const { defaults, byProject } = await this.limits.read('image');
      const own = [...byProject].map(([id, limits]) => [id, inBytes(limits)] as const);
      await this.quotas.replaceAll(ctx, new Map([[ALL_PROJECTS, inBytes(defaults)], ...own]));
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      this.logger.warn({ err: error }, 'limits could not be read; those that are known hold');
    }
  }
}

/** What is known here, in the units that are counted; other resources are no business of images. */
function inBytes(limits: LimitsByResource): Partial<ImageLimits> {
  const known = IMAGE_QUOTA_NAMES.flatMap((name) => {
    const limit = limits[name];
    if (limit === undefined) return [];
    return [[name, limit < 0 ? -1 : limit * UNITS[name]] as const];
  });
  return Object.fromEntries(known);
}

@Feature({
  providers: [
    LimitsSweep,
    {
      provide: UNIFIED_LIMITS,
      inject: [CONFIG, ActorCredentials],
      useFactory: ({ identityUrl }: ImagesConfig, credentials: ActorCredentials) =>
        new UnifiedLimitsClient({ identityUrl, credentials }),
    },
  ],
})
export class LimitsModule {}
